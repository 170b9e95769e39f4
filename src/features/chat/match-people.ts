/** Which of the people on this device a typed name may mean: those whose name begins with it first. Pure. */
import type { KnownPerson } from "@/data/shapes";

const MOST = 6;

export function matchPeople(people: readonly KnownPerson[], typed: string): KnownPerson[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return [];
  const at = (person: KnownPerson) => person.username.toLowerCase().indexOf(wanted);
  // A name that is already whole needs no list over the button.
  if (people.some(({ username }) => username.toLowerCase() === wanted)) return [];
  return people
    .filter((person) => at(person) >= 0)
    .sort((a, b) => Number(at(a) > 0) - Number(at(b) > 0))
    .slice(0, MOST);
}
