/** Joins class names. Classes given to a primitive add to its own and do not override them. */
import { type ClassValue, clsx } from "clsx";

export const cn = (...classes: ClassValue[]): string => clsx(classes);
