import type { Random } from "@tests/support/seeded-random";
import type { Programs } from "./build-device";
import type { ChaosDevice } from "./chaos-device";
import type { Ledger } from "./ledger";
import type { Person, World, WorldOptions } from "./world";

export interface ChaosOptions extends WorldOptions {
  devices: number;
  /** Of each device. */
  operations: number;
  /** The programs of a device. */
  programs: Programs;
  /** Whether the second device is a real browser with two tabs. */
  browser?: boolean;
  /** After the healing, for one queue to come to its end. */
  patienceMs?: number;
}

export interface Run {
  options: ChaosOptions;
  world: World;
  people: Person[];
  players: Player[];
  ledger: Ledger;
}

export interface Player {
  device: ChaosDevice;
  random: Random;
  /** Everybody who has ever signed in here; the last is there now. */
  guests: Person[];
  /** Entries of the ledger before the last of them came in for the last time. */
  since: number;
}
