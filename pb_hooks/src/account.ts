/** Changes of one's own account: the address, its sessions, and the end of it. */
import { emailFault, normalEmail } from "@/domain/emails";
import { bodyOf, isSuspended, textOf, userIdOf } from "./acting";
import { emptyAccount } from "./empty-account";
import { refuseTooMany } from "./limits";
import { isEmailTaken, isLastAdmin } from "./people";
import { dropBadFields, refuse } from "./refuse";
import { refusalOf } from "./refused";
import { accountKey, beginAttempt } from "./sign-in";

/** The signed-in user after a right password; null when the answer has been given. Wrong ones count like wrong sign-ins. */
function reauthenticated(e: core.RequestEvent): core.Record | null {
  if (userIdOf(e) === "" || !e.auth) {
    refuse(e, refusalOf("unauthenticated", "Kein Benutzer angemeldet"));
    return null;
  }
  if (isSuspended(e)) {
    refuse(e, refusalOf("suspended"));
    return null;
  }
  const user = e.app.findRecordById("users", e.auth.id);
  const attempt = beginAttempt(e.app as CoreApp, e.realIP(), accountKey("users", user.email()));
  if (attempt.wait > 0) {
    refuseTooMany(e, attempt.wait);
    return null;
  }
  if (!user.validatePassword(textOf(bodyOf(e)["password"]))) {
    refuse(e, refusalOf("wrong_password"));
    return null;
  }
  attempt.succeed();
  return user;
}

/** `POST /api/account/email` `{email, password}`: answers like a sign-in, since the old tokens end. */
export function changeEmail(e: core.RequestEvent) {
  dropBadFields(e);
  const email = normalEmail(textOf(bodyOf(e)["email"]));
  const user = reauthenticated(e);
  if (user === null) return;
  const fault = emailFault(email) ?? (isEmailTaken(e.app, email, user.id) ? "email_taken" : null);
  if (fault !== null) {
    const { message } = refusalOf(fault);
    return refuse(e, { ...refusalOf(fault), data: { email: { code: fault, message } } });
  }
  user.setEmail(email);
  user.setVerified(false);
  e.app.save(user);
  $apis.recordAuthResponse(e, user, "");
}

/** `POST /api/account/sessions/end`: ends every token of the account; the answer brings the one that goes on. */
export function endSessions(e: core.RequestEvent) {
  if (userIdOf(e) === "" || !e.auth) {
    return refuse(e, refusalOf("unauthenticated", "Kein Benutzer angemeldet"));
  }
  const user = e.app.findRecordById("users", e.auth.id);
  if (user.getBool("isBlocked")) return refuse(e, refusalOf("suspended"));
  user.refreshTokenKey();
  e.app.save(user);
  $apis.recordAuthResponse(e, user, "");
}

/** `POST /api/account/delete` `{password}`: the account with its media, likes, comments, follows and blocks. */
export function deleteAccount(e: core.RequestEvent) {
  const user = reauthenticated(e);
  if (user === null) return;
  if (isLastAdmin(e.app, user.id)) return refuse(e, refusalOf("last_admin"));
  emptyAccount(e.app as CoreApp, user.id);
  e.app.delete(user);
  e.noContent(204);
}
