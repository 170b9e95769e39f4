/** Test files share a process: what one leaves running ends with it, not with the process. */
import { afterAll } from "vitest";
import { endAll } from "./pocketbase";

afterAll(endAll);
