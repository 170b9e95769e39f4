/** The search box of the gallery. Its shape stands in index.html too, before any script: change both. */
import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useText } from "@/i18n/use-text";
import { type SearchText, warmSearch } from "@/state/search";

export function SearchBox({ text, setText }: SearchText) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const warm = () => {
    void import("./search-results");
    void warmSearch();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element of that name is not known to all readers yet.
    <form
      role="search"
      className="shell-search"
      onSubmit={(event) => {
        event.preventDefault();
        // Puts a phone's keyboard away.
        input.current?.blur();
      }}
    >
      <Search aria-hidden="true" />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={t("gallery.search")}
        placeholder={t("gallery.search")}
        data-testid="search"
        value={text}
        onFocus={warm}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setText("")}
      />
      {text !== "" && (
        <button
          type="button"
          className="shell-icon"
          aria-label={t("gallery.clearSearch")}
          title={t("gallery.clearSearch")}
          data-testid="clear-search"
          onClick={() => {
            setText("");
            input.current?.focus();
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </form>
  );
}
