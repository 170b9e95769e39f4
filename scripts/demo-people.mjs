/** The made-up people of the demo and what they say to each other. */

/**
 * @typedef {import("./demo-paint/scenes").SceneName} SceneName
 * @typedef {object} Person
 * @property {string} username
 * @property {string} bio
 * @property {SceneName[]} likes what they like to photograph
 */

/** The first is the administrator, the second the account that visitors of the demo are offered. @type {Person[]} */
export const PEOPLE = [
  {
    username: "hanna.vogel",
    bio: "Looks after this place. Mountains when there is time.",
    likes: ["mountains", "birches", "winter"],
  },
  {
    username: "demo",
    bio: "Try everything with this account.",
    likes: ["sea", "meadow", "city", "coffee"],
  },
  {
    username: "jonas_weber",
    bio: "Hamburg. Hafen, Regen, Kaffee – in dieser Reihenfolge.",
    likes: ["rain", "city", "sea", "coffee"],
  },
  {
    username: "mira.k",
    bio: "Macro and gardens. I talk to bees.",
    likes: ["blossom", "meadow", "fields"],
  },
  { username: "tom-okafor", bio: "Night owl with a tripod.", likes: ["stars", "aurora", "city"] },
  {
    username: "lena.sommer",
    bio: "Reist langsam. Meistens mit dem Zug.",
    likes: ["beach", "dunes", "fields", "balloons"],
  },
  {
    username: "paul.brandt",
    bio: "Plotter, pixels, paper.",
    likes: ["currents", "shapes", "colours"],
  },
  {
    username: "sofia_r",
    bio: "Sailing the Baltic in a boat that is older than me.",
    likes: ["sea", "beach", "balloons"],
  },
  { username: "yuki.t", bio: "Quiet pictures.", likes: ["birches", "winter", "colours", "rain"] },
  {
    username: "ben.hartmann",
    bio: "Hüttenwirt im Ruhestand.",
    likes: ["mountains", "winter", "stars"],
  },
  {
    username: "clara.lindt",
    bio: "Barista by day, pattern collector by night. Immer auf der Suche nach gutem Licht.",
    likes: ["coffee", "shapes", "city", "blossom"],
  },
  {
    username: "amir.n",
    bio: "Deserts and other empty places.",
    likes: ["dunes", "stars", "aurora", "balloons"],
  },
];

/** Who talks to whom: two places in PEOPLE, and lines that begin with the first one's. @type {[number, number, string[]][]} */
export const CHATS = [
  [
    1,
    3,
    [
      "Hi Mira! How do you get so close without scaring them?",
      "Early morning. They are too cold to fly off",
      "That simple?",
      "That, and lying in wet grass for an hour",
      "I'll stick to coffee cups then",
      "Ha. Those don't fly away either",
    ],
  ],
  [
    1,
    0,
    [
      "Welcome! If anything is broken, tell me.",
      "Danke! Ich habe gerade mein erstes Bild geladen.",
      "Schon gesehen. Schönes Licht!",
    ],
  ],
  [
    2,
    10,
    [
      "Hat das Café sonntags offen?",
      "Ab neun! Ich mache die Frühschicht",
      "Dann bis Sonntag",
      "Bring die Kamera mit, da kommt die Sonne genau durchs Fenster",
    ],
  ],
  [
    4,
    11,
    [
      "Where was the dune one?",
      "Two hours south of the last road",
      "Any light pollution?",
      "None. You can read by the Milky Way",
      "Booked.",
      "You have not booked",
      "I have opened a tab",
    ],
  ],
  [
    7,
    5,
    [
      "Wir legen nächste Woche in Stralsund an",
      "Ich bin bis Mittwoch da!",
      "Dann machen wir endlich das Bild vom Hafen",
      "Ich bringe Fischbrötchen mit",
    ],
  ],
  [
    9,
    0,
    [
      "Ich finde den Knopf zum Löschen nicht",
      "Oben rechts am Bild, die drei Punkte",
      "Gefunden. Man wird alt",
      "Man wird Hüttenwirt im Ruhestand :)",
    ],
  ],
  [
    6,
    8,
    [
      "Would you let me plot one of your birches?",
      "I would love that",
      "Ink or pencil?",
      "Pencil. Softer",
      "On its way by Friday",
    ],
  ],
];

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
