/**
 * Vite plugin: leaves out of react-dom what the app never asks of it, which is a quarter. That is
 * taking over a page rendered by a server, `ViewTransition`, `Activity` and `SuspenseList`, refs
 * on fragments, links and scripts that React loads, functions as actions of forms, custom
 * elements, and names of components in the stacks of errors.
 *
 * Nobody makes elements of these kinds then ("Element type is invalid", as for anything unknown),
 * so no fiber has their tags, and what asks for such a tag is cut out. A function that is left
 * out says its name when it is called all the same. Where another version of React lacks one of
 * the functions, the build stops, and somebody decides again. Names and tags are those of
 * `ReactWorkTags.js` and `ReactDOM` in React's own source.
 */
import type { ESTree, Plugin } from "vite";

const FILE = /react-dom\/cjs\/react-dom-client\.production\.js$/;

/** Tags of fibers that are never made. */
const NEVER_MADE = new Set([
  18, // what a server left to hydrate
  19, // SuspenseList
  21, // Scope
  26, // what goes to the head of the page: title, link, meta, script, style
  27, // html, head, body
  30, // ViewTransition
  31, // Activity
]);

/** Functions that are called, and have nothing to do: what each runs instead. */
const NOTHING_TO_DO: Readonly<Record<string, string>> = {
  popHydrationState: "return !1",
  resetHydrationState: "",
  queueIfContinuousEvent: "return !1",
  clearIfContinuousEvent: "",
  retryIfBlockedOn: "",
  // No boundary waits for its script, so no event waits for a boundary.
  findInstanceBlockingTarget: `
    targetNode = getClosestInstanceFromNode(targetNode);
    return_targetInst =
      null === targetNode ||
      3 === targetNode.tag ||
      getNearestMountedFiber(targetNode) !== targetNode
        ? null
        : targetNode;
    return null;`,
  commitSuspenseHydrationCallbacks: "",
  isHostHoistableType: "return !1",
  isCustomElement: "return !1",
  isFragmentInstanceParent: "return !1",
  maySuspendCommit: "return !1",
  waitForCommitToBeReady: "return null",
  accumulateSuspenseyCommitOnFiber: "",
  claimQueuedTransitionTypes: "return null",
  commitAppearingPairViewTransitions: "",
  commitDeletedPairViewTransitions: "",
  commitEnterViewTransitions: "",
  commitExitViewTransitions: "",
  commitNestedViewTransitions: "",
  measureNestedViewTransitions: "",
  restoreEnterOrExitViewTransitions: "",
  restoreNestedViewTransitions: "",
  restorePairedViewTransitions: "",
  trackEnterViewTransitions: "",
  describeNativeComponentFrame: 'return ""',
};

/** Functions that nothing reaches any more. */
const NEVER_CALLED = `
  accumulateOrCreateContinuousQueuedReplayableEvent attemptExplicitHydrationTarget
  attemptReplayContinuousQueuedEventInMap canHydrateHydrationBoundary canHydrateInstance
  canHydrateTextInstance clearHydrationBoundary getBumpedLaneForHydrationByLane getNextHydratable
  getNextHydratableInstanceAfterHydrationBoundary hideOrUnhideDehydratedBoundary
  prepareToHydrateHostInstance queueHydrationError retryDehydratedSuspenseBoundary
  retrySuspenseComponentWithoutHydrating scheduleReplayQueueIfNeeded throwOnHydrationMismatch
  updateDehydratedSuspenseComponent commitActivityHydrationCallbacks updateActivityComponent
  updateSuspenseListComponent

  applyViewTransitionName applyViewTransitionToHostInstances
  applyViewTransitionToHostInstancesRecursive createViewTransitionInstance measureClonedInstance
  measureInstance measureViewTransitionHostInstancesRecursive queueTransitionTypes
  restoreViewTransitionName restoreViewTransitionOnHostInstances scheduleViewTransitionEvent
  startViewTransition ViewTransitionPseudoElement

  addFragmentHandleToInstance blurActiveElementWithinFragment commitNewChildToFragmentInstance
  deleteChildFromFragmentInstance findFragmentInstanceOrTextInstanceSiblings FragmentInstance
  getFragmentInstanceOrTextInstanceSiblings validateDocumentPositionWithFiberTree

  acquireResource clearSingletonPreambleContribution commitHostSingletonAcquisition
  estimateBandwidth getResource getStylesheetSelectorFromKey insertStylesheetIntoRoot
  insertSuspendedStylesheets mountHoistable onUnsuspend preconnectAs preinitModuleScript
  preinitScript preinitStyle preload preloadModule preloadResourceAndSuspendIfNeeded
  releaseSingletonInstance resolveSingletonInstance suspendInstance suspendResource

  dispatchActionState ensureFormComponentIsStateful mountActionState recursivelyResetForms
  requestFormReset rerenderActionState runActionStateAction setPropOnCustomElement
  startHostTransition updateActionState updateActionStateImpl`
  .trim()
  .split(/\s+/);

const BODIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NEVER_CALLED.map((name) => [name, `throw Error("left out: ${name}")`])),
  ...NOTHING_TO_DO,
};

/** What is set outside functions, and what makes elements of the kinds that are left out. */
const STATEMENTS =
  /^(?:FragmentInstance|ViewTransitionPseudoElement)\.prototype\.|^exports\.hydrateRoot =/;
const KINDS = new Set([
  "REACT_ACTIVITY_TYPE",
  "REACT_SUSPENSE_LIST_TYPE",
  "REACT_LEGACY_HIDDEN_TYPE",
  "REACT_VIEW_TRANSITION_TYPE",
]);

type Node = ESTree.Node;
type Edit = readonly [start: number, end: number, text: string];

/** Which tag a node asks for where it compares one with a number. */
const isTag = (node: Node): boolean =>
  node.type === "Identifier"
    ? node.name === "tag" || node.name === "grandTag"
    : node.type === "MemberExpression" &&
      node.property.type === "Identifier" &&
      node.property.name === "tag";

const isNeverMade = (node: Node | null): boolean =>
  node?.type === "Literal" && NEVER_MADE.has(Number(node.value));

const leaves = (last: Node | undefined): boolean =>
  last?.type === "BlockStatement"
    ? leaves(last.body.at(-1))
    : /^(?:Break|Return|Throw|Continue)Statement$/.test(last?.type ?? "");

/** The cases of a switch that nothing reaches, and that no case before them runs into. */
function deadCases({ cases, discriminant }: ESTree.SwitchStatement): Node[] {
  const isDead = ({ test }: ESTree.SwitchCase) =>
    (isTag(discriminant) && isNeverMade(test)) ||
    (test?.type === "Identifier" && KINDS.has(test.name));
  const dead: Node[] = [];
  // Whether the case before, if it is reached at all, ends before this one.
  let isFree = true;
  for (const one of cases) {
    const isCut = isDead(one) && (isFree || one.consequent.length === 0);
    if (isCut) dead.push(one);
    else isFree = leaves(one.consequent.at(-1));
  }
  return dead;
}

interface Cutting {
  code: string;
  /** Functions of the list that were met. */
  found: Set<string>;
  /** Variables of the function at hand that only what is cut declares: others may set them. */
  lost: string[];
}

/** What is declared for the whole function that the node stands in. */
function declaredIn(node: Node): string[] {
  if (/Function/.test(node.type)) return [];
  const { name = "" } = node.type === "VariableDeclarator" ? (node.id as { name?: string }) : {};
  return [...(name === "" ? [] : [name]), ...childrenOf(node).flatMap(declaredIn)];
}

function editsOfFunction(node: ESTree.Function, cutting: Cutting): Edit[] {
  const { id, body } = node;
  if (body === null) return [];
  const instead = BODIES[id?.name ?? ""];
  if (instead !== undefined && id !== null) {
    cutting.found.add(id.name);
    return [[body.start, body.end, `{${instead}}`]];
  }
  const inside = { ...cutting, lost: [] as string[] };
  const edits = editsOf(body, inside);
  const names = [...new Set(inside.lost)].join();
  return names === "" ? edits : [[body.start + 1, body.start + 1, `var ${names};`], ...edits];
}

function editsOf(node: Node, cutting: Cutting): Edit[] {
  const cut = (text: string): Edit[] => [[node.start, node.end, text]];
  if (node.type === "ExpressionStatement") {
    if (STATEMENTS.test(cutting.code.slice(node.start, node.end))) return cut("");
  }
  if (
    node.type === "BinaryExpression" &&
    /^[!=]==$/.test(node.operator) &&
    isNeverMade(node.left) &&
    isTag(node.right)
  ) {
    return cut(String(node.operator === "!=="));
  }
  const dead = node.type === "SwitchStatement" ? deadCases(node) : [];
  cutting.lost.push(...dead.flatMap(declaredIn));
  return [
    ...dead.map(({ start, end }): Edit => [start, end, ""]),
    ...childrenOf(node)
      .filter((child) => !dead.includes(child))
      .flatMap((child) =>
        child.type === "FunctionDeclaration" || child.type === "FunctionExpression"
          ? editsOfFunction(child, cutting)
          : editsOf(child, cutting),
      ),
  ];
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value?.type === "string");

/** `parse` gives the tree of a script. @throws {Error} where the file has not what is left out */
export function withoutUnused(code: string, parse: (code: string) => Node): string {
  const constant = code
    .replace(/function initInput\([\s\S]*?\n\}/, (text) => text.replace(/isHydrating/g, "isFilled"))
    .replace("  isHydrating = !1,\n", "")
    .replace(/\bisHydrating = ![01]/g, "!1")
    .replace(/\bisHydrating\b(?!\$)/g, "!1");
  const found = new Set<string>();
  const edits = editsOf(parse(constant), { code: constant, found, lost: [] });
  edits.sort(([a], [b]) => a - b);
  const missing = Object.keys(BODIES).filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`react-dom has no ${missing.join(", ")}`);
  let lean = "";
  let at = 0;
  for (const [start, end, text] of edits) {
    lean += constant.slice(at, start) + text;
    at = end;
  }
  return lean + constant.slice(at);
}

export const leanReact: Plugin = {
  name: "lean-react",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    return FILE.test(id) ? withoutUnused(code, (text) => this.parse(text)) : null;
  },
};
