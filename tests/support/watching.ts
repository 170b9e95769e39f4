/** What `deploy` holds for whoever watches a place: five alerts and a dashboard, as programs read them. */
import { readFileSync } from "node:fs";
import { inRoot } from "@scripts/checkout.mjs";
import { parse } from "yaml";

export const ALERTS_FILE = inRoot("deploy/alerts.yml");

export interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const textOf = (file: string): string => readFileSync(inRoot(file), "utf8");

export const readAlerts = (): Alert[] => parse(textOf("deploy/alerts.yml")).groups[0].rules;

export const readPanels = (): Panel[] => JSON.parse(textOf("deploy/grafana.json")).panels;

/** What Prometheus is asked for the panels, for all places. */
export const panelQueries = (): string[] =>
  readPanels().flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll("$instance", ".*")),
  );

export const readScrapeConfig = (): Record<string, unknown> =>
  parse(textOf("deploy/prometheus.yml"));
