// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { type Faults, useForm } from "@/features/auth/use-form";

afterEach(cleanup);

const EMPTY = { email: "", password: "" };
type Values = typeof EMPTY;

interface AskProps {
  send: (values: Values) => Promise<Faults<Values>>;
  editClearsFault?: boolean;
}

function Ask({ send, editClearsFault = false }: AskProps) {
  const { values, set, faults, busy, form } = useForm({
    initial: EMPTY,
    editClearsFault,
    check: ({ email, password }): Faults<Values> | "stop" => {
      if (password === "stop") return "stop";
      return email === "" ? { email: "errors.email_required" } : {};
    },
    async send(sent, clear) {
      const refusal = await send(sent);
      if (Object.keys(refusal).length === 0) clear();
      return refusal;
    },
  });
  return (
    <form {...form} aria-label="form" aria-busy={busy}>
      {(["email", "password"] as const).map((name) => (
        <input
          key={name}
          aria-label={name}
          aria-invalid={faults[name] !== undefined}
          value={values[name]}
          onChange={(event) => set(name, event.target.value)}
        />
      ))}
    </form>
  );
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const submit = () => fireEvent.submit(screen.getByLabelText("form"));
const isInvalid = (name: string) => field(name).getAttribute("aria-invalid") === "true";

/** A server that answers when the test says so. */
function slowServer() {
  const sent: Values[] = [];
  let answer: (faults: Faults<Values>) => void = () => undefined;
  const send = (values: Values) => {
    sent.push(values);
    return new Promise<Faults<Values>>((resolve) => {
      answer = resolve;
    });
  };
  return { sent, send, answer: (faults: Faults<Values>) => answer(faults) };
}

test("a fault of the form's own sends nothing and gets the focus", async () => {
  const server = slowServer();
  render(<Ask send={server.send} />);
  submit();
  expect(server.sent).toEqual([]);
  expect(isInvalid("email")).toBe(true);
  await waitFor(() => expect(document.activeElement).toBe(field("email")));
});

test("a refusal shows at its field and gets the focus", async () => {
  const server = slowServer();
  render(<Ask send={server.send} />);
  type("email", "ann@example.com");
  submit();
  server.answer({ password: "errors.wrong_password" });
  await waitFor(() => expect(isInvalid("password")).toBe(true));
  await waitFor(() => expect(document.activeElement).toBe(field("password")));
  expect(field("email").value).toBe("ann@example.com");
});

test("a second submission waits for the answer to the first", async () => {
  const server = slowServer();
  render(<Ask send={server.send} />);
  type("email", "ann@example.com");
  submit();
  submit();
  expect(server.sent).toHaveLength(1);
  server.answer({});
  await waitFor(() => expect(screen.getByLabelText("form").ariaBusy).not.toBe("true"));
  type("email", "bob@example.com");
  submit();
  expect(server.sent).toHaveLength(2);
});

test("after a success the sent fields are empty, and what was typed meanwhile stays", async () => {
  const server = slowServer();
  render(<Ask send={server.send} />);
  type("email", "ann@example.com");
  type("password", "first");
  submit();
  type("password", "second");
  server.answer({});
  await waitFor(() => expect(field("email").value).toBe(""));
  expect(field("password").value).toBe("second");
});

test("a check that stops sends nothing and leaves the faults alone", async () => {
  const server = slowServer();
  render(<Ask send={server.send} />);
  submit();
  type("password", "stop");
  submit();
  expect(server.sent).toEqual([]);
  expect(isInvalid("email")).toBe(true);
});

test("editing a field removes its fault only where the form asks for it", () => {
  const server = slowServer();
  const { unmount } = render(<Ask send={server.send} />);
  submit();
  type("email", "a");
  expect(isInvalid("email")).toBe(true);
  unmount();
  render(<Ask send={server.send} editClearsFault />);
  submit();
  type("email", "a");
  expect(isInvalid("email")).toBe(false);
});

test("a refused form can be sent again", async () => {
  let tries = 0;
  const send = () => {
    tries += 1;
    return tries === 1
      ? Promise.resolve({ email: "errors.email_taken" as const })
      : Promise.resolve({});
  };
  render(<Ask send={send} />);
  type("email", "ann@example.com");
  submit();
  await waitFor(() => expect(isInvalid("email")).toBe(true));
  submit();
  await waitFor(() => expect(field("email").value).toBe(""));
  expect(tries).toBe(2);
});
