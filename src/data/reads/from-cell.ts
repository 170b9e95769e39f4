/** A cell as a stream: its value now and every later one. */
import { Observable } from "rxjs";
import type { Live } from "@/data/client-api";

export function fromCell<T>(cell: Live<T>): Observable<T> {
  return new Observable((observer) => {
    const tell = () => observer.next(cell.getSnapshot());
    tell();
    return cell.subscribe(tell);
  });
}
