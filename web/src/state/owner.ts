// Whom to ask about a table. Pure function.
import type { Keeping } from '../api/types';

// The owner that the catalog names, else who wrote the table most in the last 30 days.
export function ownerOf(owner: string | null, keeping: Keeping | undefined): string | null {
  return owner ?? keeping?.owner ?? keeping?.writers[0]?.user ?? null;
}
