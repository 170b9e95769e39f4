/** The editor of a legal text, in the panel's settings. */
import type { Locator, Page } from "playwright-core";

export class LegalEditorPage {
  readonly page: Page;
  readonly text: Locator;
  readonly html: Locator;
  readonly preview: Locator;
  readonly save: Locator;
  readonly discard: Locator;
  readonly state: Locator;
  readonly restored: Locator;
  readonly conflict: Locator;
  readonly theirs: Locator;

  constructor(page: Page) {
    this.page = page;
    this.text = page.getByTestId("rich-editor");
    this.html = page.getByTestId("legal-html");
    this.preview = page.getByTestId("legal-preview");
    this.save = page.getByTestId("legal-save");
    this.discard = page.getByTestId("legal-discard");
    this.state = page.getByTestId("legal-state");
    this.restored = page.getByTestId("draft-restored");
    this.conflict = page.getByTestId("legal-conflict");
    this.theirs = page.getByTestId("legal-theirs");
  }

  async open(url: string, id: "terms" | "privacy"): Promise<void> {
    await this.page.goto(`${url}/admin?settings=${id}`);
    await this.page.getByTestId(`legal-editor-${id}`).waitFor();
  }

  tool(id: string): Locator {
    return this.page.getByTestId(`tool-${id}`);
  }

  mode(mode: "write" | "html" | "preview"): Locator {
    return this.page.getByTestId(`legal-mode-${mode}`);
  }
}
