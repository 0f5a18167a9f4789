// The smallest terminal the screens are made for; below it questions are asked with line prompts.

/** Columns and lines (design/4-surfaces.md, "The terminal UI"). */
export const SMALLEST = { columns: 60, rows: 12 } as const;
