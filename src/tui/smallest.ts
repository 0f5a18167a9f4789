// The smallest terminal the screens are made for; below it questions are asked with line prompts.

/** Columns and lines (docs/terminal.md, "The inbox"). */
export const SMALLEST = { columns: 60, rows: 12 } as const;
