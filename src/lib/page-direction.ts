/** Which way the page's lines run; parts of libraries take "ltr" unless they are told. */
export const pageDirection = (): "ltr" | "rtl" =>
  getComputedStyle(document.documentElement).direction === "rtl" ? "rtl" : "ltr";
