/** Tabs: arrow keys move between them, and only the one that is shown is in the page. */
import { Tabs as Primitive } from "radix-ui";
import type { ReactNode } from "react";

interface TabsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; text: ReactNode; content: ReactNode }[];
  testId: string;
}

export function Tabs<T extends string>({ label, value, onChange, tabs, testId }: TabsProps<T>) {
  return (
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as T)}>
      <Primitive.List
        aria-label={label}
        className="mb-4 flex gap-1 border-b border-line"
        data-testid={testId}
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            data-testid={`${testId}-${tab.value}`}
            className="-mb-px min-h-12 border-b-2 border-transparent px-4 text-[15px] font-semibold text-muted transition-colors data-[state=active]:border-foreground data-[state=active]:text-foreground"
          >
            {tab.text}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} tabIndex={-1}>
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
