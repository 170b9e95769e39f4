// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { useLocation } from "react-router-dom";
import { afterEach, test } from "vitest";
import { AddressRouter } from "@/app/address-router";

afterEach(cleanup);

function goTo(address: string): void {
  window.history.pushState({ idx: 1, key: "on" }, "", address);
  window.dispatchEvent(new PopStateEvent("popstate", { state: window.history.state }));
}

test("a way that is gone while the first page is drawn is not lost", async () => {
  window.history.replaceState(null, "", "/");
  let isFirst = true;
  const Page = () => {
    const { pathname } = useLocation();
    // As when somebody presses Back while it is drawn.
    if (isFirst) goTo("/elsewhere?by=back");
    isFirst = false;
    return <p>{pathname}</p>;
  };
  render(
    <AddressRouter>
      <Page />
    </AddressRouter>,
  );
  await screen.findByText("/elsewhere");
  goTo("/later");
  await screen.findByText("/later");
});
