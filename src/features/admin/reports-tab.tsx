/** Meldungen: what was reported, by whom, why, and the outcome. */

import type { TFunction } from "i18next";
import { Clock, MessageCircle, MessagesSquare, ShieldCheck, UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { AdminClient, AdminReport, ReportStatus } from "@/data/admin/admin-client";
import { paths } from "@/domain/paths";
import { REPORT_KINDS, type ReportKind } from "@/domain/reports";
import { whenText } from "@/i18n/formats";
import type { TextKey } from "@/i18n/keys";
import { Say, SayText } from "@/i18n/say";
import { useNow } from "@/state/page";
import { Button, buttonClasses } from "@/ui/button";
import { cn } from "@/ui/cn";
import {
  FilterChips,
  mediaRemoval,
  PagedView,
  RowsLoading,
  Tag,
  Thumbnail,
  useAct,
  warning,
} from "./admin-parts";
import { ReportContext } from "./report-context";
import type { AdminLists } from "./use-admin-lists";
import { userQuestion } from "./users-tab";

const STATES = ["all", "open", "resolved", "dismissed"] as const;

const KIND_TEXTS = {
  media: "admin.reports.kindMedia",
  comment: "admin.reports.kindComment",
  message: "admin.reports.kindMessage",
  person: "admin.reports.kindPerson",
} as const satisfies Record<ReportKind, TextKey>;

type Deleted = Pick<AdminLists, "onMediaDeleted" | "onReportedDeleted">;

type ReportsTabProps = Deleted &
  Pick<AdminLists, "reports" | "reportChoice" | "setReportChoice" | "reportKind" | "setReportKind">;

export function ReportsTab(props: ReportsTabProps) {
  const { reports, reportChoice, setReportChoice, reportKind, setReportKind } = props;
  const { onMediaDeleted, onReportedDeleted } = props;
  const { t } = useTranslation();
  return (
    <>
      <FilterChips
        label={t("app.show")}
        value={reportChoice}
        testId="admin-reports"
        options={STATES.map((value) => ({ value, text: t(`admin.reports.${value}`) }))}
        onChange={setReportChoice}
      />
      <FilterChips
        label={t("admin.reports.about")}
        value={reportKind}
        testId="admin-report-kinds"
        options={(["all", ...REPORT_KINDS] as const).map((value) => ({
          value,
          text: t(value === "all" ? "admin.reports.kindAll" : KIND_TEXTS[value]),
        }))}
        onChange={setReportKind}
      />
      <PagedView
        paged={reports}
        loading={<RowsLoading row="h-44 w-full" />}
        empty={{
          testId: "reports-empty",
          icon: <ShieldCheck />,
          title: <Say k="admin.reports.none" />,
        }}
      >
        {(items) => (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {items.map((report) => (
              <ReportCard
                key={report.id}
                {...{ report, onMediaDeleted, onReportedDeleted }}
                change={reports.change}
              />
            ))}
          </ul>
        )}
      </PagedView>
    </>
  );
}

/** An open report is late after this, milliseconds. */
const REPORT_DUE_MS = 24 * 3_600_000;

export const isOverdue = (
  report: Pick<AdminReport, "status" | "createdAt">,
  now: number,
): boolean => report.status === "open" && now - report.createdAt >= REPORT_DUE_MS;

const TONES = { open: "accent", resolved: "ok", dismissed: "quiet" } as const;

interface ReportCardProps extends Deleted {
  report: AdminReport;
  change: AdminLists["reports"]["change"];
}

function ReportCard(props: ReportCardProps) {
  const { t } = useTranslation();
  const { report } = props;
  const owner = report.ownerUsername || t("people.unknown");
  const reporter = report.reporterUsername || t("people.unknown");
  const topic = report.topic === "" ? "" : t(`report.topic.${report.topic}`);
  return (
    <li
      data-testid="report-card"
      data-report-id={report.id}
      className="grid gap-4 rounded-2xl border border-line p-4 md:grid-cols-[128px_minmax(0,1fr)]"
    >
      <div className="w-32 overflow-hidden rounded-xl max-md:hidden">
        <Picture report={report} />
      </div>
      <div className="min-w-0">
        <div className="flex items-start gap-3">
          <div className="w-20 shrink-0 overflow-hidden rounded-xl md:hidden">
            <Picture report={report} />
          </div>
          <div className="min-w-0 flex-1">
            <ReportHead report={report} />
            {topic !== "" && topic !== report.reason && (
              <p className="mt-2 font-semibold" data-testid="report-topic">
                {topic}
              </p>
            )}
            <p className="mt-2 wrap-anywhere whitespace-pre-wrap" data-testid="report-reason">
              {report.reason}
            </p>
          </div>
        </div>
        <p className="mt-2 text-sm text-muted wrap-anywhere">
          {t("admin.reports.reporter", { name: reporter })}
          {" · "}
          <Say k="admin.media.by" params={{ name: owner }} />
          {report.kind === "media" && report.caption !== "" && (
            <span className="block truncate">{report.caption}</span>
          )}
        </p>
        {report.kind !== "media" && report.caption !== "" && (
          <blockquote
            dir="auto"
            data-testid="report-words"
            className="mt-2 line-clamp-6 border-s-2 border-line-strong ps-3 wrap-anywhere whitespace-pre-wrap"
          >
            {report.caption}
          </blockquote>
        )}
        {!report.exists && (
          <p className="mt-2 text-sm font-medium">
            {t(report.kind === "media" ? "admin.reports.gone" : "admin.reports.goneOther")}
          </p>
        )}
        <ReportActs {...props} />
      </div>
    </li>
  );
}

const ICONS = {
  comment: <MessageCircle />,
  message: <MessagesSquare />,
  person: <UserRound />,
} as const;

/** What has no picture has a sign of its kind. */
function Picture({ report }: { report: AdminReport }) {
  if (report.kind === "media") return <Thumbnail media={report} />;
  return (
    <span
      aria-hidden="true"
      className="grid aspect-square w-full place-items-center bg-surface text-muted [&_svg]:size-8"
    >
      {ICONS[report.kind]}
    </span>
  );
}

function ReportHead({ report }: { report: AdminReport }) {
  const { t } = useTranslation();
  const now = useNow();
  const late = isOverdue(report, now);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="text-lg font-bold">
        <Say k="admin.reports.number" params={{ number: report.number }} />
      </h2>
      <Tag tone={TONES[report.status]} data-testid="report-status">
        {t(`admin.reports.${report.status}`)}
      </Tag>
      <Tag data-testid="report-kind">{t(KIND_TEXTS[report.kind])}</Tag>
      <span
        data-testid="report-age"
        data-late={late}
        className={cn(
          "inline-flex items-center gap-1 text-sm [&_svg]:size-4",
          late ? "font-semibold text-danger" : "text-muted",
        )}
      >
        <Clock aria-hidden="true" />
        <SayText text={whenText(report.createdAt, now)} />
        {late && <span className="sr-only">{t("admin.reports.overdue")}</span>}
      </span>
    </div>
  );
}

const ACTS = {
  resolve: "report-resolve",
  dismiss: "report-dismiss",
  reopen: "report-reopen",
  context: "report-context",
  deleteMedia: "report-delete-media",
  deleteComment: "report-delete-comment",
  deleteMessage: "report-delete-message",
  warn: "report-warn",
  disableChat: "report-disable-chat",
  suspendOwner: "report-suspend",
};

interface ActProps {
  act: keyof typeof ACTS;
  variant?: "solid" | "outline" | "danger";
  run: () => void;
}

function ActButton({ act, variant = "outline", run }: ActProps) {
  const { t } = useTranslation();
  const isDanger = variant === "danger";
  return (
    <Button
      variant={isDanger ? "ghost" : variant}
      className={isDanger ? "text-danger!" : ""}
      data-testid={ACTS[act]}
      onClick={run}
    >
      {t(`admin.reports.${act}`)}
    </Button>
  );
}

function ReportActs(props: ReportCardProps) {
  const { report, change } = props;
  const { t } = useTranslation();
  const { busy, act, confirm, dialog } = useAct();
  const { id } = report;
  const judge = (status: ReportStatus) =>
    void act({
      run: (admin) => admin.setReportStatus(id, status),
      done: "admin.reports.updated",
      failed: "admin.reports.updateFailed",
      onDone: () =>
        change((items) => items.map((item) => (item.id === id ? { ...item, status } : item))),
    });
  return (
    <fieldset className="mt-3 flex flex-wrap gap-2 border-0 p-0" disabled={busy}>
      <legend className="sr-only">{t("admin.reports.number", { number: report.number })}</legend>
      {report.status === "open" ? (
        <>
          <ActButton act="resolve" variant="solid" run={() => judge("resolved")} />
          <ActButton act="dismiss" run={() => judge("dismissed")} />
        </>
      ) : (
        <ActButton act="reopen" run={() => judge("open")} />
      )}
      <ThingActs {...props} confirm={confirm} />
      <OwnerActs {...props} confirm={confirm} />
      {dialog}
    </fieldset>
  );
}

type Confirm = ReturnType<typeof useAct>["confirm"];

/** What can be done with the thing itself. */
function ThingActs(props: ReportCardProps & { confirm: Confirm }) {
  const { report, confirm, onMediaDeleted, onReportedDeleted } = props;
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { kind, targetId, mediaId, caption } = report;
  const to = (path: string, text: ReactNode) => (
    <Link to={path} className={buttonClasses({ variant: "ghost" })}>
      {text}
    </Link>
  );
  const onDone = () => onReportedDeleted(targetId);
  if (kind === "message") {
    const remove = () => confirm({ ...messageRemoval(targetId, t), onDone });
    return (
      <>
        <ActButton act="context" run={() => setOpen(true)} />
        {report.exists && <ActButton act="deleteMessage" variant="danger" run={remove} />}
        {isOpen && <ReportContext report={report} onClose={() => setOpen(false)} />}
      </>
    );
  }
  if (!report.exists) return null;
  if (kind === "person") return to(paths.user(report.ownerUsername), t("admin.reports.openPerson"));
  if (kind === "comment") {
    const remove = () => confirm({ ...commentRemoval(targetId, t), onDone });
    const place = `${paths.media({ id: mediaId, caption: "" })}?comment=${targetId}`;
    return (
      <>
        {to(place, t("admin.reports.openComment"))}
        <ActButton act="deleteComment" variant="danger" run={remove} />
      </>
    );
  }
  const remove = () => confirm(mediaRemoval(mediaId, onMediaDeleted));
  return (
    <>
      {to(paths.media({ id: mediaId, caption }), t("admin.reports.openMedia"))}
      <ActButton act="deleteMedia" variant="danger" run={remove} />
    </>
  );
}

const messageRemoval = (id: string, t: TFunction) =>
  ({
    title: t("chat.deleteTitle"),
    text: t("admin.chat.deleteText"),
    action: t("app.delete"),
    run: (admin: AdminClient) => admin.deleteMessage(id),
    done: "admin.chat.deletedDone",
    failed: "admin.chat.deleteFailed",
  }) as const;

const commentRemoval = (id: string, t: TFunction) =>
  ({
    title: t("comments.deleteTitle"),
    text: t("comments.deleteWithReplies"),
    action: t("app.delete"),
    run: (admin: AdminClient) => admin.deleteComment(id),
    done: "admin.reports.commentDeleted",
    failed: "comments.deleteFailed",
  }) as const;

/** What can be done about whoever made it. */
function OwnerActs({ report, change, confirm }: ReportCardProps & { confirm: Confirm }) {
  const { t } = useTranslation();
  const { ownerId, ownerUsername: username } = report;
  if (!report.ownerExists) return null;
  const edit = (changes: Partial<AdminReport>) =>
    change((items) =>
      items.map((item) => (item.ownerId === ownerId ? { ...item, ...changes } : item)),
    );
  const disableChat = () =>
    confirm({
      title: t("admin.reports.disableChatTitle", { name: username }),
      text: t("admin.chats.accessText"),
      action: t("admin.reports.disableChat"),
      run: (admin) => admin.setChatDisabled(ownerId, true),
      done: "admin.chats.disabled",
      failed: "admin.chats.accessFailed",
      onDone: () => edit({ ownerHasNoChat: true }),
    });
  const suspend = () =>
    confirm(
      userQuestion(
        "suspend",
        { id: ownerId, username },
        { t, onDone: () => edit({ ownerIsBlocked: true }) },
      ),
    );
  return (
    <>
      <ActButton act="warn" run={() => confirm(warning({ id: ownerId, username }, t))} />
      {report.kind === "message" && !report.ownerHasNoChat && (
        <ActButton act="disableChat" variant="danger" run={disableChat} />
      )}
      {report.ownerIsBlocked ? (
        <Tag tone="danger" className="self-center">
          {t("admin.reports.ownerSuspended")}
        </Tag>
      ) : (
        <ActButton act="suspendOwner" variant="danger" run={suspend} />
      )}
    </>
  );
}
