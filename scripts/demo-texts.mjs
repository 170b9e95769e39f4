/**
 * The texts of the demo: its people, their captions, tags, comments and chats, in the two languages
 * of the community.
 */

/** @typedef {Exclude<import("./demo-paint/scenes").SceneName, "portrait">} SceneName */

/** @param {string} text */
const lines = (text) => text.trim().split(/\s*[|\n]\s*/);

/**
 * A username, what the person likes to photograph, and a bio. The first is the administrator, the
 * second the account that visitors of the demo are offered.
 */
export const PEOPLE = lines(`
  hanna.vogel; mountains winter aurora; Looks after this place. Mountains when there is time.
  demo; sea winter city mountains; Try everything with this account.
  jonas_weber; city sea; Hamburg. Hafen, Regen, Kaffee – in dieser Reihenfolge.
  mira.k; winter mountains; Forests and their birds. I talk to owls.
  tom-okafor; stars aurora city; Night owl with a tripod.
  lena.sommer; sea mountains; Reist langsam. Meistens mit dem Zug.
  paul.brandt; city aurora; Plotter, pixels, paper.
  sofia_r; sea aurora; Sailing the Baltic in a boat that is older than me.
  yuki.t; winter sea stars; Quiet pictures.
  ben.hartmann; mountains winter stars; Hüttenwirt im Ruhestand.
  clara.lindt; city winter; Barista by day, window collector by night. Immer auf der Suche nach gutem Licht.
  amir.n; stars aurora mountains; Hills and other empty places.
`).map((line) => {
  const [username = "", likes = "", bio = ""] = line.split("; ");
  return { username, bio, likes: /** @type {SceneName[]} */ (likes.split(" ")) };
});

/** @param {string} text tags on the first line, then captions */
const words = (text) => {
  const [tags = "", ...captions] = lines(text);
  return { tags: tags.split(" "), captions };
};

/** @type {Record<SceneName, { tags: string[], captions: string[] }>} */
export const WORDS = {
  aurora: words(`aurora northernlights night Nordlicht lofoten longexposure
    Three nights of clouds, and then this | Nordlichter über dem See, minus 14 Grad
    The sky moved for twenty minutes | Green silence
    Ich habe den Wecker auf zwei gestellt. Hat sich gelohnt. | First aurora of the season
    Finger eingefroren, Herz warm`),
  city: words(`city night skyline Stadt bluehour reflection urban
    Blue hour from the bridge | Feierabend. Die Stadt leuchtet. | Every window a story
    Twenty minutes after sunset | Spiegelung im Fluss, kein Wind | Missed the last tram for this
    Rooftop, 26th floor | Skyline bei Nacht`),
  mountains: words(`mountains hiking alps Berge view nature sunrise
    Layers on layers | Gipfelfrühstück | Five hours up, worth every blister
    Morning haze over the valley | Die Alpen zeigen sich von ihrer besten Seite | Above the fog
    Hüttentour, Tag 3 | Mirror lake, no filter | Still the best office view`),
  sea: words(`sea sunset sailing Meer horizon water evening
    Golden path | Abends am Hafen | Not a wave today | Sailing home | Salzwasser und Stille
    The sun took its time | Nordsee, windstill. Gibt es doch. | Ferry view`),
  stars: words(`stars milkyway night Sterne astrophotography longexposure
    No moon, no town, only this | Milchstraße über dem Wald | 25 seconds of sky
    Found a parking lot without a lamp | Sternschnuppen: drei. Wünsche: geheim.
    Counting was a mistake`),
  winter: words(`winter snow forest Schnee evening firs
    The hut has heating, the way up does not | Erster Schnee! | Snow eats every sound
    Blaue Stunde bei minus acht | Every tree got its coat | Heute keine Termine
    Silent evening`),
};

/** Comments that fit below any picture. */
export const COMMENTS = lines(`
  Wow! | Wunderschön! | This is my new wallpaper. | Where was this? | Love the colours.
  Great light! | Wie hast du das gemacht? | Richtig stark. | So calm. | Stunning. | Das Licht!
  More of this please | I can almost hear it. | Traumhaft. | How long did you wait for it?
  Einfach nur schön. | The composition is spot on. | Gefällt mir sehr! | Printed and framed, when?
  Ich will sofort dahin. | That mood… | Toller Blick dafür. | Clean. | You have a good eye.
  Was für eine Stimmung! | Made my day. | Perfekt getroffen. | Ohhh | Goosebumps.
  Kamera oder Handy? | Came for the picture, stayed for the caption.
  Das muss ich auch mal probieren. | Soft and sharp at once, how? | Genau mein Ding.
  Can't stop looking. | Saved! | Heimweh. | This made me put my phone down and go outside.
  Beautiful work as always. | 😍 | 🔥 | 👏👏
`);

/**
 * What whoever posted the picture replies to some of them.
 * @type {Readonly<Record<string, string>>}
 */
export const ANSWERS = {
  "Where was this?": "Ten minutes' walk from the station. You'd never guess.",
  "Wie hast du das gemacht?": "Mit einem Stativ und viel Geduld.",
  "How long did you wait for it?": "Almost an hour. My fingers remember.",
  "Kamera oder Handy?": "Nur das Handy!",
  "Printed and framed, when?": "Soon, I promise.",
  "Soft and sharp at once, how?": "A slow shutter, and a wall to lean on.",
  "This is my new wallpaper.": "What an honour!",
  "Ich will sofort dahin.": "Lohnt sich, am besten früh am Morgen.",
};

/** Reasons of the reports that wait for an administrator. */
export const REASONS = lines(`
  I think this picture was posted twice.
  Das sieht nach Werbung für einen Reiseanbieter aus.
  The caption is rude to the ferry's crew. Could somebody have a look?
`);

/**
 * Who talks to whom, as two indexes in PEOPLE, and what they say in turn.
 * @type {[first: number, second: number, said: string][]}
 */
const TALKS = [
  [
    1,
    3,
    `Hi Mira! How do you get so close to the owls?
    Early morning. They are too tired to fly off | That simple?
    That, and standing in the snow for an hour | I'll stick to skylines then
    Ha. Those don't fly away either`,
  ],
  [
    1,
    0,
    `Welcome! If anything is broken, tell me. | Danke! Ich habe gerade mein erstes Bild geladen.
    Schon gesehen. Schönes Licht!`,
  ],
  [
    2,
    10,
    `Hat das Café sonntags offen? | Ab neun! Ich mache die Frühschicht | Dann bis Sonntag
    Bring die Kamera mit, da kommt die Sonne genau durchs Fenster`,
  ],
  [
    4,
    11,
    `Where was the Milky Way one? | Two hours south of the last road | Any light pollution?
    None. You can read by the Milky Way | Booked. | You have not booked | I have opened a tab`,
  ],
  [
    7,
    5,
    `Wir legen nächste Woche in Stralsund an | Ich bin bis Mittwoch da!
    Dann machen wir endlich das Bild vom Hafen | Ich bringe Fischbrötchen mit`,
  ],
  [
    9,
    0,
    `Ich finde den Knopf zum Löschen nicht | Oben rechts am Bild, die drei Punkte
    Gefunden. Man wird alt | Man wird Hüttenwirt im Ruhestand :)`,
  ],
  [
    6,
    8,
    `Would you let me plot one of your winters? | I would love that | Ink or pencil?
    Pencil. Softer | On its way by Friday`,
  ],
];
export const CHATS = TALKS.map(([first, second, said]) => ({ first, second, said: lines(said) }));

export const TERMS = `
<p>Augenblick is a place for pictures that you made yourself. Using it is free.</p>
<h2>Your pictures</h2>
<p>They stay yours. By uploading one you say that you may show it, and you allow us to store it and to show it here. You can delete it at any time, and then it is gone.</p>
<h2>What does not belong here</h2>
<ul><li>pictures of people who did not agree to it</li><li>advertising</li><li>anything that hurts, threatens or humiliates</li></ul>
<p>Report what breaks these rules. Administrators look at every report and may remove pictures or suspend accounts.</p>`;

export const PRIVACY = `
<p>We keep what you give us: your e-mail address, your username, your pictures and what you write.</p>
<h2>Location</h2>
<p>Position and camera data are removed from photos on your own device, before they are sent.</p>
<h2>Chats</h2>
<p>Chats are private, but not encrypted between devices: administrators can read them when a report makes it necessary, and every such look is written down.</p>
<h2>Leaving</h2>
<p>You can delete your account in the settings. Your pictures, likes and comments go with it.</p>`;
