/** The product's logo, an eye. Decoration next to the name. */
export function EyeMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <path
        d="M2 17C8 6 24 6 30 17 24 26 8 26 2 17Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.6"
      />
      <circle cx="16" cy="16.6" r="5.6" fill="#fbbf24" />
      <circle cx="18" cy="14.8" r="1.7" fill="#fff" />
    </svg>
  );
}
