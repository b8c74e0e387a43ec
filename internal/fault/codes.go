package fault

// Code is the stable name of a failure. A code has one meaning and one kind; programs may compare it, and tests hold
// the lists of this package against api/openapi.json.
type Code string

// Any surface.
const (
	// CodeInvalid: A value of the request is not allowed.
	CodeInvalid Code = "E_INVALID"
	// CodeUnprocessable: The request names something that does not exist or that Cove cannot use.
	CodeUnprocessable Code = "E_UNPROCESSABLE"
	// CodeNotFound: There is no such profile, proxy, status, folder, account, token, setting, image or job.
	CodeNotFound Code = "E_NOT_FOUND"
	// CodeInternal: Cove made a mistake; the log says more.
	CodeInternal Code = "E_INTERNAL"
	// CodeUnauthorized: Nobody is logged in, or the call carries no credential that Cove knows.
	CodeUnauthorized Code = "E_UNAUTHORIZED"
	// CodeDiskFull: The disk is full.
	CodeDiskFull Code = "E_DISK_FULL"
	// CodeTimeout: What was waited for did not happen in time.
	CodeTimeout Code = "E_TIMEOUT"
	// CodeCancelled: The caller did not wait for the answer.
	CodeCancelled Code = "E_CANCELLED"
	// CodeExists: There is something with this name already.
	CodeExists Code = "E_EXISTS"
	// CodeInUse: A profile uses what was to be deleted.
	CodeInUse Code = "E_IN_USE"
	// CodeNotOffered: Cove does not offer what the call asks for.
	CodeNotOffered Code = "E_NOT_OFFERED"
	// CodeAmbiguous: A name fits several profiles or tokens.
	CodeAmbiguous Code = "E_AMBIGUOUS"
)

// The HTTP API.
const (
	// CodeNoRoute: There is no such call or file.
	CodeNoRoute Code = "E_NO_ROUTE"
	// CodeMethod: The call exists, but not with this method.
	CodeMethod Code = "E_METHOD"
	// CodeTooLarge: The request's body is too large.
	CodeTooLarge Code = "E_TOO_LARGE"
	// CodeShuttingDown: The app is shutting down.
	CodeShuttingDown Code = "E_SHUTTING_DOWN"
	// CodeForbiddenHost: The request's Host header is not a name of this computer.
	CodeForbiddenHost Code = "E_FORBIDDEN_HOST"
	// CodeForbiddenOrigin: A web page made the request, and it may not.
	CodeForbiddenOrigin Code = "E_FORBIDDEN_ORIGIN"
	// CodeNotOwner: Only the owner of this Cove may make the call.
	CodeNotOwner Code = "E_NOT_OWNER"
	// CodeNotPerson: Only the person may make the call, in the window or on the command line.
	CodeNotPerson Code = "E_NOT_PERSON"
	// CodeSignInLink: The sign-in link was used already, or it is too old.
	CodeSignInLink Code = "E_CODE"
	// CodeProfileChanged: Somebody else changed the profile at the same time.
	CodeProfileChanged Code = "E_PROFILE_CHANGED"
	// CodePolicyChanged: Somebody else changed the policy at the same time.
	CodePolicyChanged Code = "E_POLICY_CHANGED"
	// CodeSecretChanged: Somebody else changed the secret at the same time.
	CodeSecretChanged Code = "E_SECRET_CHANGED"
)

// Accounts.
const (
	// CodeAccountExists: There is an account with this email already.
	CodeAccountExists Code = "E_ACCOUNT_EXISTS"
	// CodePlanAutomation: The plan does not include opening profiles for scripts and agents.
	CodePlanAutomation Code = "E_PLAN_AUTOMATION"
	// CodeTooManyLogins: Too many logins wait for this account.
	CodeTooManyLogins Code = "E_TOO_MANY_LOGINS"
	// CodePINRequired: The call needs the owner's PIN.
	CodePINRequired Code = "E_PIN_REQUIRED"
	// CodePINWrong: The PIN is wrong.
	CodePINWrong Code = "E_PIN_WRONG"
	// CodePINSlowed: A wrong PIN was given too often; wait before the next attempt.
	CodePINSlowed Code = "E_PIN_SLOWED"
	// CodePINSet: There is a PIN already.
	CodePINSet Code = "E_PIN_SET"
	// CodePINUnset: The call needs the owner's PIN, and none is set.
	CodePINUnset Code = "E_PIN_UNSET"
	// CodeNoPIN: There is no PIN.
	CodeNoPIN Code = "E_NO_PIN"
)

// The app and its data folder.
const (
	// CodeNoApp: The app is not running.
	CodeNoApp Code = "E_NO_APP"
	// CodeAppNoAnswer: The app is running and does not answer.
	CodeAppNoAnswer Code = "E_APP_NO_ANSWER"
	// CodeAppGone: The app ended before the profile was opened.
	CodeAppGone Code = "E_APP_GONE"
	// CodeNoHome: The data folder is not known.
	CodeNoHome Code = "E_NO_HOME"
	// CodeHome: The data folder cannot be used.
	CodeHome Code = "E_HOME"
	// CodeHomeTooLong: The path of the data folder is too long.
	CodeHomeTooLong Code = "E_HOME_TOO_LONG"
	// CodePortTaken: Another program uses the port.
	CodePortTaken Code = "E_PORT_TAKEN"
	// CodeDatabase: The database cannot be read or written.
	CodeDatabase Code = "E_DATABASE"
	// CodeNewerData: A newer Cove wrote the data folder.
	CodeNewerData Code = "E_NEWER_DATA"
	// CodeFull: There are no profile ids left.
	CodeFull Code = "E_FULL"
	// CodeNoLog: There is no log yet.
	CodeNoLog Code = "E_NO_LOG"
	// CodeDoctor: A check of the doctor did not pass.
	CodeDoctor Code = "E_DOCTOR"
	// CodeNotVerified: A step of the verification failed.
	CodeNotVerified Code = "E_NOT_VERIFIED"
	// CodeProxyCheck: A proxy did not pass its check.
	CodeProxyCheck Code = "E_PROXY_CHECK"
	// CodeChangeIP: The link that changes the IP address of a proxy failed.
	CodeChangeIP Code = "E_CHANGE_IP"
)

// Open profiles.
const (
	// CodeNotOpen: The profile is not open, or not open for agents.
	CodeNotOpen Code = "E_NOT_OPEN"
	// CodeBrowserRunDuplicate: The profile is open already.
	CodeBrowserRunDuplicate Code = "E_BROWSER_RUN_DUPLICATE"
	// CodeBrowserOpenOrdinary: The profile is open in ordinary mode, which does not support automation.
	CodeBrowserOpenOrdinary Code = "E_BROWSER_OPEN_ORDINARY"
	// CodeProfileOpen: The profile is open, and the call needs it closed.
	CodeProfileOpen Code = "E_PROFILE_OPEN"
	// CodeProfileLocked: Another browser uses the profile's data folder.
	CodeProfileLocked Code = "E_PROFILE_LOCKED"
	// CodeStopped: The profile was stopped while it was starting.
	CodeStopped Code = "E_STOPPED"
	// CodeTooManyLaunches: Too many profiles wait to start.
	CodeTooManyLaunches Code = "E_TOO_MANY_LAUNCHES"
	// CodeNoBrowser: No browser was found, or the one that was named is none.
	CodeNoBrowser Code = "E_NO_BROWSER"
	// CodeBrowserTooOld: A newer browser opened the profile before.
	CodeBrowserTooOld Code = "E_BROWSER_TOO_OLD"
	// CodeBrowserLaunch: The browser did not start.
	CodeBrowserLaunch Code = "E_BROWSER_LAUNCH"
	// CodeExtension: An extension of the profile could not be installed in its browser.
	CodeExtension Code = "E_EXTENSION"
	// CodeNoKeeper: The profile is open, and its keeper does not answer.
	CodeNoKeeper Code = "E_NO_KEEPER"
	// CodeOtherVersion: Another version of Cove opened the profile.
	CodeOtherVersion Code = "E_OTHER_VERSION"
	// CodeClosed: A person closed the profile.
	CodeClosed Code = "E_CLOSED"
	// CodeCrashed: The browser crashed.
	CodeCrashed Code = "E_CRASHED"
	// CodeSilent: The browser does not answer.
	CodeSilent Code = "E_SILENT"
)

// What agents may do.
const (
	// CodeSandbox: The sandbox of an agent keeps its commands from Cove.
	CodeSandbox Code = "E_SANDBOX"
	// CodeAgentsOff: Agents are not allowed in the profile.
	CodeAgentsOff Code = "E_AGENTS_OFF"
	// CodePanic: The person suspended every agent.
	CodePanic Code = "E_PANIC"
	// CodePanicPartly: Not every open profile could be told.
	CodePanicPartly Code = "E_PANIC_PARTLY"
	// CodePolicy: The profile's policy does not allow it.
	CodePolicy Code = "E_POLICY"
	// CodePolicySite: The profile's policy does not allow the site.
	CodePolicySite Code = "E_POLICY_SITE"
	// CodePolicyNarrowed: The policy became stricter, so the connection ended.
	CodePolicyNarrowed Code = "E_POLICY_NARROWED"
	// CodePolicyTightened: The policy changed during the call, so nothing was done.
	CodePolicyTightened Code = "E_POLICY_TIGHTENED"
	// CodePolicyNotInForce: The policy is stored, but the open profile does not follow it yet.
	CodePolicyNotInForce Code = "E_POLICY_NOT_IN_FORCE"
	// CodeTakenOver: The person has taken over the profile.
	CodeTakenOver Code = "E_TAKEN_OVER"
	// CodeAgentPaused: The person has paused this agent.
	CodeAgentPaused Code = "E_AGENT_PAUSED"
	// CodeAgentDisconnected: The person has disconnected this agent.
	CodeAgentDisconnected Code = "E_AGENT_DISCONNECTED"
	// CodeNoAgent: No agent with this session is connected.
	CodeNoAgent Code = "E_NO_AGENT"
	// CodeTabOwned: The page belongs to another agent.
	CodeTabOwned Code = "E_TAB_OWNED"
	// CodeTabTaken: The person works in the page.
	CodeTabTaken Code = "E_TAB_TAKEN"
	// CodeNotTakenOver: Nobody has taken over the profile.
	CodeNotTakenOver Code = "E_NOT_TAKEN_OVER"
	// CodeNotControlled: The person is not in control of the tab.
	CodeNotControlled Code = "E_NOT_CONTROLLED"
	// CodeOtherDriver: Another agent drives the profile.
	CodeOtherDriver Code = "E_OTHER_DRIVER"
	// CodeNotApproved: Nobody approved the step in time.
	CodeNotApproved Code = "E_NOT_APPROVED"
	// CodeRefused: The person refused the step.
	CodeRefused Code = "E_REFUSED"
	// CodeNoRequest: No agent waits for this answer.
	CodeNoRequest Code = "E_NO_REQUEST"
	// CodeTooManyRequests: Too many requests wait for a person.
	CodeTooManyRequests Code = "E_TOO_MANY_REQUESTS"
	// CodeRequestBusy: The answer to this request is being carried out.
	CodeRequestBusy Code = "E_REQUEST_BUSY"
)

// The browser that a person uses outside Cove.
const (
	// CodeAdoptNoBrowser: There is no such browser, or it is not open.
	CodeAdoptNoBrowser Code = "E_ADOPT_NO_BROWSER"
	// CodeAdoptRefused: The person did not allow the connection in their browser.
	CodeAdoptRefused Code = "E_ADOPT_REFUSED"
	// CodeAdoptStranger: The port that the browser named belongs to another program.
	CodeAdoptStranger Code = "E_ADOPT_STRANGER"
	// CodeAdoptOtherProfile: A window of another profile of the browser that a person shares is in front.
	CodeAdoptOtherProfile Code = "E_ADOPT_OTHER_PROFILE"
	// CodeAdoptTwice: The browser is shared with another profile of Cove already, or asked for something else.
	CodeAdoptTwice Code = "E_ADOPT_TWICE"
	// CodeAdoptNotOurs: A profile that stands for a person's browser has no such setting.
	CodeAdoptNotOurs Code = "E_ADOPT_NOT_OURS"
	// CodeAdoptClosed: A person's browser is not shared now, and only its person can share it.
	CodeAdoptClosed Code = "E_ADOPT_CLOSED"
	// CodeAdoptLost: The connection to the browser ended.
	CodeAdoptLost Code = "E_ADOPT_LOST"
	// CodeImportOtherProfile: A window of another profile of that browser is in front.
	CodeImportOtherProfile Code = "E_IMPORT_OTHER_PROFILE"
	// CodeImportOpen: The profile that logins are imported into is open.
	CodeImportOpen Code = "E_IMPORT_OPEN"
	// CodeImportTwice: Another import from a browser is under way, or the browser is waiting to be shared.
	CodeImportTwice Code = "E_IMPORT_TWICE"
	// CodeImportSourceOpen: The browser whose data folder is to be copied is open.
	CodeImportSourceOpen Code = "E_IMPORT_SOURCE_OPEN"
	// CodeImportUsed: A data folder can only be copied into a profile that was never used.
	CodeImportUsed Code = "E_IMPORT_USED"
	// CodeImportKeyring: The cookies are locked with a key that Cove does not have.
	CodeImportKeyring Code = "E_IMPORT_KEYRING"
	// CodeImportNewer: The data folder is that of a newer browser.
	CodeImportNewer Code = "E_IMPORT_NEWER"
)

// Secrets and the journal.
const (
	// CodeNoSecret: There is no such secret.
	CodeNoSecret Code = "E_NO_SECRET"
	// CodeSecrets: The secrets cannot be decrypted.
	CodeSecrets Code = "E_SECRETS"
	// CodeSecretSite: The secret is for another site.
	CodeSecretSite Code = "E_SECRET_SITE"
	// CodeSecretCommand: The command that prints a secret has failed.
	CodeSecretCommand Code = "E_SECRET_COMMAND"
	// CodeKeyring: The keyring with the secrets' key is locked or cannot be reached.
	CodeKeyring Code = "E_KEYRING"
	// CodeJournal: The journal was changed.
	CodeJournal Code = "E_JOURNAL"
	// CodeJournalKey: The key of the journals cannot be read.
	CodeJournalKey Code = "E_JOURNAL_KEY"
)

// MCP clients and the wrapper.
const (
	// CodeNoClient: Cove does not know the client.
	CodeNoClient Code = "E_NO_CLIENT"
	// CodeNotInstalled: The client was not found on this computer.
	CodeNotInstalled Code = "E_NOT_INSTALLED"
	// CodeNoEntry: The client has no entry for the profile.
	CodeNoEntry Code = "E_NO_ENTRY"
	// CodeNameTaken: The client has another server of this name.
	CodeNameTaken Code = "E_NAME_TAKEN"
	// CodeBrokenFile: A client's file cannot be understood.
	CodeBrokenFile Code = "E_BROKEN_FILE"
	// CodeLocked: Another program is writing a client's file.
	CodeLocked Code = "E_LOCKED"
	// CodeUnreadable: A file cannot be read.
	CodeUnreadable Code = "E_UNREADABLE"
	// CodeUnwritable: A file cannot be written.
	CodeUnwritable Code = "E_UNWRITABLE"
	// CodeNoSkill: There is no such skill, or the client has none.
	CodeNoSkill Code = "E_NO_SKILL"
	// CodeSkillChanged: Somebody changed the skill that was installed.
	CodeSkillChanged Code = "E_SKILL_CHANGED"
	// CodeSkillCheck: A client has another skill than this Cove's.
	CodeSkillCheck Code = "E_SKILL_CHECK"
	// CodeNoRuntime: Node was not found.
	CodeNoRuntime Code = "E_NO_RUNTIME"
	// CodeNoNPX: npx was not found.
	CodeNoNPX Code = "E_NO_NPX"
	// CodeFetch: The devtools package could not be fetched.
	CodeFetch Code = "E_FETCH"
	// CodeNoWrapper: There is no wrapper at this path.
	CodeNoWrapper Code = "E_NO_WRAPPER"
	// CodeOtherFolder: The wrapper belongs to another data folder.
	CodeOtherFolder Code = "E_OTHER_FOLDER"
	// CodeWrapperChanged: The wrapper was changed by hand.
	CodeWrapperChanged Code = "E_WRAPPER_CHANGED"
	// CodeWrapperUnwritable: The wrapper cannot be written into this folder.
	CodeWrapperUnwritable Code = "E_WRAPPER_UNWRITABLE"
)

// Kind returns the kind of failure that the code stands for. A code that is not in the list is Internal.
func (c Code) Kind() Kind {
	switch c {
	case CodeInvalid, CodeNoHome, CodeHomeTooLong, CodeWrapperUnwritable, CodeArguments, CodeNotUID, CodeValue,
		CodeOptionClicked, CodeImportKeyring, CodeAdoptNotOurs:
		return Invalid
	case CodeUnprocessable:
		return Unprocessable
	case CodeNotOffered:
		return NotOffered
	case CodeNotFound, CodeNoRoute, CodeNoPIN, CodeNoLog, CodeNotOpen, CodeNoRequest, CodeNoAgent, CodeNoSecret,
		CodeNoClient, CodeNotInstalled, CodeNoEntry, CodeNoWrapper, CodeNoPage, CodeTabClosed, CodeFrameGone,
		CodeHistory,
		CodeNoSkill,
		CodeNoDialog, CodeNoFile, CodeUID, CodeOption, CodeNoChooser, CodeSnapshot, CodeMessage, CodeRequest,
		CodeBody, CodeNotRecording, CodeNotTracing, CodeNoTrace, CodeNoPageTool, CodeAdoptNoBrowser:
		return NotFound
	case CodeExists, CodeInUse, CodeAmbiguous, CodeProfileChanged, CodePolicyChanged, CodeSecretChanged,
		CodeAccountExists, CodePINSet,
		CodeSkillChanged,
		CodePortTaken, CodeBrowserRunDuplicate, CodeBrowserOpenOrdinary, CodeProfileOpen, CodeProfileLocked,
		CodeStopped, CodeBrowserTooOld, CodeOtherVersion, CodePolicyTightened, CodeNotTakenOver, CodeNotControlled,
		CodeNameTaken, CodeBrokenFile, CodeOtherFolder, CodeWrapperChanged, CodeBatch, CodePageClosed, CodePageChanged,
		CodeDisabled, CodeHidden, CodeCovered, CodeReadonly, CodeFocus, CodeNoFocus, CodeNotTaken, CodeMissed,
		CodeStalePicture, CodeRedrawn, CodeDialogOpen, CodeTabOwned, CodeRecording, CodeTracing, CodeHeapSnapshot,
		CodeRequestBusy, CodeTooManyRequests, CodeToolChanged, CodePageTool, CodeLeft,
		CodeImportOpen, CodeImportTwice, CodeImportSourceOpen, CodeImportUsed, CodeImportNewer, CodeAdoptTwice,
		CodeAdoptClosed:
		return Conflict
	case CodeForbiddenHost, CodeForbiddenOrigin, CodeNotOwner, CodeNotPerson, CodePINRequired, CodePINUnset,
		CodePINWrong,
		CodeAgentsOff, CodeAgentDisconnected, CodePanic, CodePolicy, CodePolicySite, CodePolicyNarrowed,
		CodeNotApproved, CodeRefused,
		CodeAdoptRefused, CodeAdoptStranger,
		CodeSecretSite, CodeUnreadable, CodeUnwritable, CodeFileDenied, CodeFileProtected:
		return Denied
	case CodeUnauthorized, CodeSignInLink:
		return Unauthenticated
	case CodePlanAutomation:
		return Payment
	case CodeTooLarge:
		return TooLarge
	case CodeTooManyLogins, CodePINSlowed, CodeTooManyLaunches, CodeTakenOver, CodeTabTaken, CodeAgentPaused,
		CodeOtherDriver,
		CodeLocked, CodeImportOtherProfile, CodeAdoptOtherProfile:
		return Busy
	case CodeDiskFull, CodeTimeout, CodeCancelled, CodeShuttingDown, CodeNoApp, CodeAppNoAnswer, CodeAppGone,
		CodeHome, CodeDatabase, CodeNewerData, CodeFull, CodeNoBrowser, CodeNoKeeper, CodeClosed, CodeCrashed,
		CodeSandbox,
		CodeSilent, CodePanicPartly, CodePolicyNotInForce, CodeNoRuntime, CodeNoNPX, CodeFetch, CodeNoTab, CodeChangeIP,
		CodeTabCrashed, CodeNotClosed, CodeNoAnswer, CodeRestless, CodeFrameCrashed, CodeNotLoaded, CodeSlowDisk,
		CodePicker, CodeExtension, CodeNoLighthouse, CodeLighthouse, CodeSecretCommand, CodeKeyring, CodeAdoptLost:
		return Unavailable
	case CodeMethod:
		return Method
	default:
		return Internal
	}
}
