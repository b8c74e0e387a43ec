// The types of the API, written from api/openapi.json by `make bundle`. Do not edit.

/** The agents and approval requests of an open profile. */
export type Access = {
  /** The profile's id. */
  profile: number
  /** The connected agents. */
  agents: AccessAgent[]
  /** The requests that wait for approval. */
  requests: Approval[]
  /** True if the user is in control. Agents are paused. */
  takenOver: boolean
  /** True if all agents are blocked. */
  suspended: boolean
  /** The agent that is in control, if only one agent at a time can act. */
  driver?: AccessAgent
  /** The IDs of the tabs that you control in the live view. */
  controlled?: string[]
}

/** A connected agent. */
export type AccessAgent = {
  /**
   * `mcp` for an MCP client, `shell` for an agent that runs commands in a shell, `cdp` for a program on the gate's
   * port.
   */
  kind: 'mcp' | 'shell' | 'cdp'
  /** The self-reported name of an MCP client, or the name of the program. */
  name: string
  /** The agent's version. */
  version?: string
  /** The process ID of a program. */
  pid?: number
  /** The agent's session, as in the journal. Only for connected agents. */
  session?: string
  /** Whether the user has paused this agent. Omitted when not. */
  paused?: boolean
}

/** One profile's access state. */
export type AccessData = {
  data: Access
}

/** A user's account. */
export type Account = {
  /** The email address that identifies the account. */
  email: string
  /** The account's plan. */
  plan: 'free' | 'solo' | 'team'
  /** True for the account that the app created on its first run. */
  owner: boolean
  /** True if the plan allows opening profiles for scripts and agents. */
  automation: boolean
  /** When the account was created. */
  createdAt: string
}

/** A list of accounts. */
export type Accounts = {
  data: Account[]
}

/** A message of the live view, with the profile that it is about. */
export type Activity = {
  /** The profile's id. */
  profile: number
  type: 'tabs' | 'picture' | 'dialog' | 'agents' | 'actions' | 'control'
  tabs?: LiveTab[]
  picture?: LivePicture
  dialog?: string
  prompt?: LivePrompt
  /** The tabs that you control. */
  control?: LiveTaken[]
  agents?: LiveAgent[]
  scripts?: number
  actions?: LiveAction[]
}

/** A browser that the person uses, and the profile that stands for it. */
export type AdoptInput = {
  /**
   * The profile's name. Empty means the profile that stands for the browser already, whatever its name, or else
   * my-browser.
   */
  name?: string
  /** The data folder of the browser, or the folder of one of its profiles. */
  dataDir: string
  /** The folder of one of its profiles, if it has several. */
  dir?: string
}

export type Agent = {
  profile: number
  name: string
  kind: 'agent' | 'script'
  since?: string
}

/** Whether one agent waits. */
export type AgentPause = {
  /** Make the agent wait, or let it continue. */
  pause: boolean
}

export type Agents = {
  data: Agent[]
  /** Whose the tabs of the open profiles are. */
  tabs?: OwnedTabs[]
}

/** The user's answer to a request: one of allow, done, decline, choose, text and code. */
export type Answer = {
  /** True approves the step, false denies it. */
  allow?: boolean
  /** `once` (default), `session`: until the agent disconnects, `site`: always on this site, as a rule of the policy. */
  scope?: 'once' | 'session' | 'site'
  /** You have done what the agent asked for. */
  done?: boolean
  /** You cannot or do not want to do it. */
  decline?: boolean
  /** A note to the agent: at most 4000 characters. */
  note?: string
  /** One of the options. */
  choose?: string
  /** Your answer in words: at most 4000 characters. */
  text?: string
  /** Typed into the page. The agent never reads it, and it is not stored. */
  code?: string
}

/** An agent's request that waits for approval. */
export type Approval = {
  /** The request's id, unique across profiles. */
  id: string
  /** The profile's id. */
  profile: number
  agent: AccessAgent
  /** The permission that the agent needs. */
  class: string
  /** What the agent will do if you approve, in one sentence. */
  what: string
  /** The URL of the page that the request is about. */
  page: string
  /** When the agent made the request. */
  askedAt: string
  /** A PNG or JPEG image of what the request is about, in base64. Omitted in events. */
  picture?: string
}

/** A list of approval requests. */
export type Approvals = {
  /** The requests, oldest first. */
  data: Approval[]
}

/** A request of an agent to a person. */
export type Ask = {
  /** The request's id, unique across profiles. */
  id: string
  /** The profile's id. */
  profile: number
  /**
   * `approve`: may the agent do a step? `do`: something to do in the page. `code`: a text that Cove types.
   * `choose`: one of several options. `text`: an answer in words.
   */
  kind: 'approve' | 'do' | 'code' | 'choose' | 'text'
  /** Where the request stands. */
  state: 'asked' | 'seen' | 'working' | 'answered' | 'expired' | 'withdrawn' | 'cut'
  agent: AccessAgent
  /** The permission that an approval is about. */
  class?: string
  /** What the agent will do if you approve, or what it asks for. */
  what: string
  /** The URL of the page that the request is about. */
  page: string
  /** The tab that the request is about, as in the live view. */
  tab?: string
  box?: LiveBox
  /** The options to choose from. */
  options?: string[]
  /** Which permission asks, in one sentence. */
  because?: string
  /** The site for which an approval with the scope `site` adds a rule. Absent if that is not possible. */
  rule?: string
  /** That rule, in one sentence. */
  ruleWords?: string
  /** When the agent made the request. */
  askedAt: string
  /** When the request expires. Absent while the user works on it, and after its end. */
  expiresAt?: string
  /** When the request ended. */
  endedAt?: string
  answer?: AskAnswer
  /** A PNG or JPEG image of what the request is about, in base64. Omitted in events and after the end. */
  picture?: string
}

/** The answer to a request. */
export type AskAnswer = {
  /** The answer to an approval. */
  allow?: boolean
  /** How far the approval reaches. */
  scope?: 'once' | 'session' | 'site'
  /** The user has done what was asked. */
  done?: boolean
  /** The user has declined. */
  decline?: boolean
  /** The user's note to the agent. */
  note?: string
  /** The chosen option. */
  choose?: string
  /** The answer in words. Only whoever reads the single request gets it. */
  text?: string
  /** Cove has typed the code. */
  typed?: boolean
  /** `person`, `policy`, or the client in which the user answered. */
  by: string
}

/** One request. */
export type AskData = {
  data: Ask
}

/** What the user does with a request. */
export type AskSeen = {
  /** True while the user works on it. */
  working?: boolean
}

/** The requests of agents. */
export type Asks = {
  /** The open requests, oldest first. */
  data: Ask[]
  /** The requests that have ended, newest first. */
  history: Ask[]
}

/** How a script reaches an open profile. */
export type Automation = {
  /** The port of the gate on 127.0.0.1. It is a new one at each start. */
  port: number
  /** The path of the browser's WebSocket. */
  wsEndpoint?: string
  /** The whole address of the browser's WebSocket. */
  webSocketDebuggerUrl?: string
  /** Why the two addresses are omitted: the profile's policy restricts agents, and the call has no credential. */
  hint?: string
}

/** An installed browser. */
export type Browser = {
  name: string
  /** The path of the program. */
  path: string
  version: string
  /** True if profiles open with this browser unless they set another one. */
  used: boolean
}

/** A list of browsers. */
export type Browsers = {
  data: Browser[]
}

/** What happens to each profile: fields are changed, or there is one action. */
export type BulkChange = {
  /** Tags to add. The other tags stay. */
  addTags?: Strings
  /** Tags to remove. */
  removeTags?: Strings
  /**
   * The folder: its name, which is created if it is not there, or its id as a number. `""`, `0` and `null` mean
   * none.
   */
  folder?: string | number | null
  /** The status: its id, or an object with its `id`. `0` and `null` mean none. */
  status?: number | {
    id?: number
  } | null
  /** The new notes. */
  notes?: LooseText
  /** The proxy. An empty text means none. In a profile whose policy has rules only the user can change it. */
  proxy?: ProxyInput | ''
  /** What to do instead. `delete` deletes permanently. */
  action?: 'trash' | 'restore' | 'delete' | 'start' | 'stop'
  /** With `start`: open the profiles for scripts and agents. */
  automation?: boolean
  /** With `start`: open the profiles without a window. */
  headless?: boolean
}

/** A change of many profiles. */
export type BulkInput = {
  /** The profiles' ids. */
  ids: number[]
  change: BulkChange
}

/** How a profile is copied. */
export type CloneInput = {
  /** The copy's name. Default: the old name followed by “copy”. */
  name?: string
  /** Copy the logins and all other browser data. The profile must be closed. */
  data?: boolean
}

/** The notes of a profile. */
export type CloudNotes = {
  content: string
  color: string
  style: string
  icon: string
}

/**
 * A profile in the shape of Dolphin's cloud API, which the paths without `/v1.0` answer with. A caller without a
 * credential gets `id`, `name`, `tags` and `running` only.
 */
export type CloudProfile = {
  /** Its id. */
  id: number
  /** Its name. */
  name: string
  tags: string[]
  /** Whether it is open, or opening or closing. */
  running: boolean
  notes: CloudNotes
  /** The id of its folder. */
  folder: number | null
  /** Its start pages. */
  tabs: string[]
  args: string[]
  /** The id of its stored proxy. */
  proxyId: number | null
  /** Omitted if there is none. */
  status?: ProfileStatus
  /** Omitted if there is none. */
  proxy?: CloudProxy
  created_at: string
  updated_at: string
  lastStartTime: string | null
  /** The operating system of this computer. */
  platform: string
  browserType: 'anty'
  /** Always empty. */
  mainWebsite: string
}

/** The proxy of a profile. */
export type CloudProxy = {
  id: number
  name: string
  type: string
  host: string
  port: number
  login: string
  password: string
  changeIpUrl: string
  /** The result of its last check, null without one. */
  lastCheck: unknown
}

export type CookieChange = {
  /** The domain. */
  domain: string
  /** New cookies. */
  added: number
  /** Cookies that change. */
  replaced: number
  /** Cookies that are there already. */
  unchanged: number
}

export type CookieChanges = {
  /** Always true. */
  success: boolean
  /** Always true. */
  dryRun: boolean
  /** How many have expired. */
  skipped: number
  /** What would change, by domain. */
  domains: CookieChange[]
  /** How many would be replaced by a later one with the same name, domain and path. */
  repeated?: number
  /** How many entries of the local storage would come along. */
  localStorage?: number
  /** What Cove does not take along. */
  ignored?: string[]
}

export type CookieExport = {
  /** One profile. */
  browserProfiles: CookieExportProfile[]
  /** Has no effect: Cove never writes a file. */
  doNotSave?: boolean
}

export type CookieExportProfile = {
  /** The profile's id. */
  id: number | string
  /** Has no effect. */
  name?: string
}

export type CookieImport = {
  /** The profile's id. */
  profileId: number | string
  /** An array, an object with the array `cookies`, or a text. */
  cookies: unknown
  /** Has no effect. */
  transfer?: boolean
  /** Has no effect. */
  cloudSyncDisabled?: boolean
}

export type CookiesImported = {
  /** Always true. */
  success: boolean
  /** How many cookies were set. */
  imported: number
  /** How many had expired. */
  skipped: number
  /** How many a later cookie of the same name, domain and path replaced. */
  repeated?: number
  /** How many entries of the local storage came along. */
  localStorage?: number
  /** What Cove does not take along. */
  ignored?: string[]
}

/** The answer to creating one profile. */
export type Created = {
  /** Always true. */
  success: true
  /** The new profile's id. */
  browserProfileId: number
  data: Profile
  /** The unknown fields of the request. Omitted if there are none. */
  ignored: string[]
}

/** The answer to creating several profiles. */
export type CreatedMany = {
  /** Whether every profile was created. */
  success: boolean
  /** The new profiles' ids, in the order of the request. */
  ids: number[]
  /** The unknown fields of the request. Omitted if there are none. */
  ignored: string[]
  /** The items that were not created, as they were sent, with the common fields. */
  failed: Record<string, unknown>[]
  /** Why, in the order of `failed`. */
  errors: ErrorObject[]
}

/** The decision about an approval request. */
export type Decision = {
  /** True approves the request, false denies it. */
  allow: boolean
  /** Also allow this agent's further requests of the same class until it disconnects. */
  always?: boolean
}

/** The body of every answer with a status of 400 or more. */
export type Error = {
  /** Always false. */
  success: false
  /** What went wrong, in one sentence. */
  error: string
  /** The same sentence. */
  message: string
  errorObject: ErrorObject
  /** With E_BROWSER_RUN_DUPLICATE: how to reach the browser that is already running. */
  automation?: Automation
}

/**
 * The stable name of a failure. It has one meaning and one kind, which is its title; the kind decides the status.
 * The codes of tools are read by agents, not by callers of this API. Later versions may add codes.
 */
export type ErrorCode =
  | 'E_INVALID'
  | 'E_UNPROCESSABLE'
  | 'E_NOT_FOUND'
  | 'E_INTERNAL'
  | 'E_UNAUTHORIZED'
  | 'E_DISK_FULL'
  | 'E_TIMEOUT'
  | 'E_CANCELLED'
  | 'E_EXISTS'
  | 'E_IN_USE'
  | 'E_NOT_OFFERED'
  | 'E_AMBIGUOUS'
  | 'E_NO_ROUTE'
  | 'E_METHOD'
  | 'E_TOO_LARGE'
  | 'E_SHUTTING_DOWN'
  | 'E_FORBIDDEN_HOST'
  | 'E_FORBIDDEN_ORIGIN'
  | 'E_NOT_OWNER'
  | 'E_NOT_PERSON'
  | 'E_CODE'
  | 'E_PROFILE_CHANGED'
  | 'E_POLICY_CHANGED'
  | 'E_SECRET_CHANGED'
  | 'E_ACCOUNT_EXISTS'
  | 'E_PLAN_AUTOMATION'
  | 'E_TOO_MANY_LOGINS'
  | 'E_PIN_REQUIRED'
  | 'E_PIN_WRONG'
  | 'E_PIN_SLOWED'
  | 'E_PIN_SET'
  | 'E_PIN_UNSET'
  | 'E_NO_PIN'
  | 'E_NO_APP'
  | 'E_APP_NO_ANSWER'
  | 'E_APP_GONE'
  | 'E_NO_HOME'
  | 'E_HOME'
  | 'E_HOME_TOO_LONG'
  | 'E_PORT_TAKEN'
  | 'E_DATABASE'
  | 'E_NEWER_DATA'
  | 'E_FULL'
  | 'E_NO_LOG'
  | 'E_DOCTOR'
  | 'E_NOT_VERIFIED'
  | 'E_PROXY_CHECK'
  | 'E_CHANGE_IP'
  | 'E_NOT_OPEN'
  | 'E_BROWSER_RUN_DUPLICATE'
  | 'E_BROWSER_OPEN_ORDINARY'
  | 'E_PROFILE_OPEN'
  | 'E_PROFILE_LOCKED'
  | 'E_STOPPED'
  | 'E_TOO_MANY_LAUNCHES'
  | 'E_NO_BROWSER'
  | 'E_BROWSER_TOO_OLD'
  | 'E_BROWSER_LAUNCH'
  | 'E_EXTENSION'
  | 'E_NO_KEEPER'
  | 'E_OTHER_VERSION'
  | 'E_CLOSED'
  | 'E_CRASHED'
  | 'E_SILENT'
  | 'E_SANDBOX'
  | 'E_AGENTS_OFF'
  | 'E_PANIC'
  | 'E_PANIC_PARTLY'
  | 'E_POLICY'
  | 'E_POLICY_SITE'
  | 'E_POLICY_NARROWED'
  | 'E_POLICY_TIGHTENED'
  | 'E_POLICY_NOT_IN_FORCE'
  | 'E_TAKEN_OVER'
  | 'E_AGENT_PAUSED'
  | 'E_AGENT_DISCONNECTED'
  | 'E_NO_AGENT'
  | 'E_TAB_OWNED'
  | 'E_TAB_TAKEN'
  | 'E_NOT_TAKEN_OVER'
  | 'E_NOT_CONTROLLED'
  | 'E_OTHER_DRIVER'
  | 'E_NOT_APPROVED'
  | 'E_REFUSED'
  | 'E_NO_REQUEST'
  | 'E_TOO_MANY_REQUESTS'
  | 'E_REQUEST_BUSY'
  | 'E_ADOPT_NO_BROWSER'
  | 'E_ADOPT_REFUSED'
  | 'E_ADOPT_STRANGER'
  | 'E_ADOPT_OTHER_PROFILE'
  | 'E_ADOPT_TWICE'
  | 'E_ADOPT_NOT_OURS'
  | 'E_ADOPT_CLOSED'
  | 'E_ADOPT_LOST'
  | 'E_IMPORT_OTHER_PROFILE'
  | 'E_IMPORT_OPEN'
  | 'E_IMPORT_TWICE'
  | 'E_IMPORT_SOURCE_OPEN'
  | 'E_IMPORT_USED'
  | 'E_IMPORT_KEYRING'
  | 'E_IMPORT_NEWER'
  | 'E_NO_SECRET'
  | 'E_SECRETS'
  | 'E_SECRET_SITE'
  | 'E_SECRET_COMMAND'
  | 'E_KEYRING'
  | 'E_JOURNAL'
  | 'E_JOURNAL_KEY'
  | 'E_NO_CLIENT'
  | 'E_NOT_INSTALLED'
  | 'E_NO_ENTRY'
  | 'E_NAME_TAKEN'
  | 'E_BROKEN_FILE'
  | 'E_LOCKED'
  | 'E_UNREADABLE'
  | 'E_UNWRITABLE'
  | 'E_NO_SKILL'
  | 'E_SKILL_CHANGED'
  | 'E_SKILL_CHECK'
  | 'E_NO_RUNTIME'
  | 'E_NO_NPX'
  | 'E_FETCH'
  | 'E_NO_WRAPPER'
  | 'E_OTHER_FOLDER'
  | 'E_WRAPPER_CHANGED'
  | 'E_WRAPPER_UNWRITABLE'
  | 'E_ARGUMENTS'
  | 'E_BATCH'
  | 'E_NO_PAGE'
  | 'E_PAGE_CLOSED'
  | 'E_PAGE_CHANGED'
  | 'E_NO_TAB'
  | 'E_TAB_CLOSED'
  | 'E_TAB_CRASHED'
  | 'E_NOT_CLOSED'
  | 'E_NO_ANSWER'
  | 'E_RESTLESS'
  | 'E_FRAME_CRASHED'
  | 'E_FRAME_GONE'
  | 'E_NOT_LOADED'
  | 'E_HISTORY'
  | 'E_DIALOG_OPEN'
  | 'E_NO_DIALOG'
  | 'E_NO_PAGE_TOOL'
  | 'E_PAGE_TOOL'
  | 'E_CHANGED'
  | 'E_LEFT'
  | 'E_FILE_DENIED'
  | 'E_FILE_PROTECTED'
  | 'E_NO_FILE'
  | 'E_SLOW_DISK'
  | 'E_UID'
  | 'E_NOT_UID'
  | 'E_DISABLED'
  | 'E_HIDDEN'
  | 'E_COVERED'
  | 'E_READONLY'
  | 'E_FOCUS'
  | 'E_NO_FOCUS'
  | 'E_VALUE'
  | 'E_OPTION'
  | 'E_OPTION_CLICKED'
  | 'E_NOT_TAKEN'
  | 'E_MISSED'
  | 'E_STALE_PICTURE'
  | 'E_REDRAWN'
  | 'E_NO_CHOOSER'
  | 'E_PICKER'
  | 'E_SNAPSHOT'
  | 'E_MESSAGE'
  | 'E_REQUEST'
  | 'E_BODY'
  | 'E_RECORDING'
  | 'E_NOT_RECORDING'
  | 'E_TRACING'
  | 'E_NOT_TRACING'
  | 'E_NO_TRACE'
  | 'E_HEAP_SNAPSHOT'
  | 'E_NO_LIGHTHOUSE'
  | 'E_LIGHTHOUSE'

/** The failure in parts. */
export type ErrorObject = {
  /** The kind of failure. */
  type:
    | 'invalid'
    | 'unauthorized'
    | 'payment'
    | 'denied'
    | 'not_found'
    | 'method'
    | 'conflict'
    | 'too_large'
    | 'busy'
    | 'internal'
    | 'unavailable'
  code: ErrorCode
  /** What went wrong, in one sentence. */
  text: string
  /** What to do next. It may be empty. */
  hint: string
  /**
   * The input that is wrong, when it is one: the name of a parameter of the path or of the query, or of a member of
   * the body; members of objects follow a dot, as in `proxy.host`, and so do the numbers of list entries, from 0.
   */
  field?: string
}

/** An event in the stream. */
export type Event = {
  /** The type of the event, which is also the name of the field that holds it. */
  type: 'session' | 'profile' | 'access' | 'panic' | 'request' | 'job'
  session?: SessionEvent
  profile?: ProfileEvent
  access?: Access
  panic?: Panic
  request?: Ask
  job?: Job
}

export type ExportedCookies = {
  /** Always true. */
  success: boolean
  /** The cookies. */
  cookies: Record<string, unknown>[]
}

export type ExportedLocalStorage = {
  /** Always true. */
  success: boolean
  /** One item for each origin. */
  localStorage: LocalStorageItem[]
}

/** A browser extension that Cove keeps a copy of. */
export type Extension = {
  /** The extension's id in Cove. */
  id: number
  /** The name that Cove shows. */
  name: string
  /** The version. */
  version: string
  /** What it says of itself. */
  description: string
  /** The id that browsers know it by. */
  extensionId: string
  /** 2 or 3. */
  manifestVersion: number
  /** Permissions, including those that it can ask for later. */
  permissions: string[]
  /** The sites that it reads and changes, as patterns. */
  hostPermissions: string[]
  /** What an agent could reach through it, in sentences. */
  reach: string[]
  /** Whether an agent could use it to get around a profile's permissions. */
  risky: boolean
  /** The size of its files in bytes. */
  size: number
  /** How many profiles have it. 0 in the lists of a profile. */
  browser_profiles_count: number
  /** When it was added. */
  created_at: string
  /** When its files last changed. */
  updated_at: string
}

/** A change of the extensions of profiles. */
export type ExtensionChange = {
  /** The extensions' ids. */
  extensionIds: number[]
  /** The profiles' ids. */
  profileIds?: number[]
  /** Whether the extensions run. */
  enabled?: boolean
}

/** One page of extensions. */
export type ExtensionList = {
  data: Extension[]
  /** The page that this is, from 1. */
  current_page: number
  /** The last page. */
  last_page: number
  /** How many extensions are on a page. */
  per_page: number
  /** How many extensions there are on all pages. */
  total: number
  /** The position of the first extension on this page. */
  from: number | null
  /** The position of the last extension on this page. */
  to: number | null
  /** The URL of the first page. */
  first_page_url: string
  /** The URL of the last page. */
  last_page_url: string
  /** The URL of the next page. */
  next_page_url: string | null
  /** The URL of the previous page. */
  prev_page_url: string | null
  /** The URL of the list. */
  path: string
}

/** A stored extension. */
export type ExtensionSaved = {
  success: true
  data: Extension
  /** The profiles that have this version from their next start on. */
  profileIds: number[]
  /** The version that was stored before. */
  replaced?: string
  /** Fields of the form that Cove does not use. */
  ignored?: string[]
}

/** A browser that the person uses outside Cove. */
export type External = {
  /** Its data folder. */
  dataDir: string
  /** The folder of one of its profiles in it. */
  dir: string
}

/** The result of one diagnostic check. */
export type Finding = {
  /** What was checked. */
  name: string
  /** True if the check found no problem. */
  ok: boolean
  /** What the check found. */
  text: string
  /** How to fix the problem. */
  hint?: string
}

/** The results of all diagnostic checks. */
export type Findings = {
  data: Finding[]
}

/** What the installed browser shows to every page. It is the same for each profile. */
export type Fingerprint = {
  /** The user agent as a window sends it. */
  userAgent: string
  platform: string
  platformVersion: string
  uaFullVersion: string
  appCodeName: string
  appVersion: string
  product: string
  productSub: string
  vendor: string
  vendorSub: string
  language: string
  /** With commas. */
  languages: string
  donottrack: boolean
  /** Memory in GiB, as the browser tells it. */
  deviceMemory: number
  hardwareConcurrency: number
  maxTouchPoints: number
  screen: FingerprintScreen
  connection: FingerprintConnection
  cpu: FingerprintCPU
  os: FingerprintOS
  browser: FingerprintBrowser
  webgl: FingerprintWebGL
  /** The limits of WebGL 2, by name. */
  webgl2Maximum: Record<string, unknown>
  /** A JSON list in a text. It is always empty. */
  fonts: string
  /** A JSON list in a text. It is always empty. */
  voices: string
  /** Always empty. */
  webgpu: string
  browserType: 'anty'
}

/** The browser. */
export type FingerprintBrowser = {
  name: string
  version: string
  shortVersion: number
}

/** The processor. */
export type FingerprintCPU = {
  architecture: string
}

/** What the browser says of the network. */
export type FingerprintConnection = {
  downlink: number
  rtt: number
  effectiveType: string
  saveData: boolean
}

/** The operating system. */
export type FingerprintOS = {
  name: 'Windows' | 'macOS' | 'Linux'
  version: string
}

/** The screen of a browser without a window. */
export type FingerprintScreen = {
  width: number
  height: number
  availWidth: number
  availHeight: number
  colorDepth: number
  pixelDepth: number
  devicePixelRatio: number
}

/** The graphics card. */
export type FingerprintWebGL = {
  vendor: string
  renderer: string
  unmaskedVendor: string
  unmaskedRenderer: string
}

/** A folder of profiles. */
export type Folder = {
  /** Its id. */
  id: number
  /** Its name. */
  name: string
  /** Its color, if it has one. */
  color?: 'red' | 'orange' | 'purple' | 'green' | 'blue'
  defaults?: FolderDefaults
  /** How many profiles are in it, without the trash. */
  profilesCount: number
}

/** One folder. */
export type FolderData = {
  /** Always true. */
  success: true
  data: Folder
}

/**
 * What a new profile in the folder gets where its request says nothing. Existing and imported profiles don't
 * change.
 */
export type FolderDefaults = {
  /** Its tags. */
  tags?: string[]
  /** The pages that open first. */
  startPages?: string[]
  /** The language, such as de-DE. */
  locale?: string
  /** The time zone, such as Europe/Berlin. */
  timezone?: string
  proxy?: Proxy
  /** The preset of its agent permissions. */
  agents?: 'open' | 'guarded' | 'read-only' | 'off'
}

/** A folder to create, or what changes of it. A new folder needs a name. */
export type FolderInput = {
  /** Its name, which no other folder has. */
  name?: string
  /** Its color. Send an empty string for none. */
  color?: '' | 'red' | 'orange' | 'purple' | 'green' | 'blue'
  defaults?: FolderDefaults
}

/** One page of folders. */
export type FolderList = {
  data: Folder[]
  /** The page that this is, from 1. */
  current_page: number
  /** The position of the first item on this page, from 1. Null if the page is empty. */
  from: number | null
  /** The position of the last item on this page. Null if the page is empty. */
  to: number | null
  /** How many items are on a page. */
  per_page: number
  /** The last page. */
  last_page: number
  /** How many items there are on all pages. */
  total: number
  /** The URL of the list. */
  path: string
  /** The URL of the first page. */
  first_page_url: string
  /** The URL of the last page. */
  last_page_url: string
  /** The URL of the next page. */
  next_page_url: string | null
  /** The URL of the previous page. */
  prev_page_url: string | null
}

/** Profiles, and the folder that they are put into or taken out of. */
export type FolderMembers = {
  /** The folder. Without one, profiles are taken out of the folder that they are in. */
  folderId?: number
  /** The profiles. */
  profileIds: number[]
}

/** An order of folders. */
export type FolderOrder = {
  /** The folders that come first, in this order. */
  ids?: number[]
  /** The same as folders with their positions, as clients of Dolphin send it. */
  folders?: FolderPosition[]
}

/** The position of one folder. */
export type FolderPosition = {
  id: number
  /** Lower positions come first. */
  order: number
}

/** The profiles in a folder. */
export type FolderProfiles = {
  data: {
    /** Their ids. */
    profileIds: number[]
  }
}

/** Names several profiles. */
export type IDs = {
  /** The profiles' ids. */
  ids: number[]
  /** Delete permanently instead of moving to the trash. The query can say the same. */
  forceDelete?: boolean
}

/** Profiles and proxies to take over from another product. */
export type ImportInput = {
  /** The profiles to create. */
  profiles?: ImportProfile[]
  /**
   * Proxies to store, also those that no profile uses. One that is stored already gets only the name and the link
   * that it does not have.
   */
  proxies?: ImportProxy[]
  /** Answer what would be created, and create nothing. */
  dryRun?: boolean
}

/** A profile to create. Unknown fields are refused. */
export type ImportProfile = {
  /** Its name. */
  name: string
  /** Its tags. */
  tags?: string[]
  /** Notes for people. */
  notes?: string
  /** The name of its folder, which is created if it is not there. */
  folder?: string
  /** Its status, which is created if it is not there. */
  status?: ImportStatus
  /** The pages that open with it. */
  startPages?: string[]
  /** Its language, such as `en-GB`. */
  locale?: string
  /** Its timezone, such as `Europe/Berlin`. */
  timezone?: string
  /** Its proxy. Omit it for a direct connection. */
  proxy?: Proxy
  /** Further arguments of its browser. */
  args?: string[]
}

/** A proxy to store. */
export type ImportProxy = {
  /** What the person calls it. */
  name?: string
  /** The kind of proxy. */
  type: 'http' | 'https' | 'socks4' | 'socks5'
  /** Its name or address. */
  host: string
  /** Its port. */
  port: number
  /** Omit it if there is none. */
  login?: string
  /** Omit it if there is none. */
  password?: string
  /** A link that gives it another exit address. */
  changeIpUrl?: string
}

/** A status by its name. */
export type ImportStatus = {
  /** Its name. */
  name: string
  /** Its color, if there is no status of this name yet. */
  color?: 'red' | 'orange' | 'purple' | 'green' | 'blue'
}

/** What an import created, or would create. */
export type Imported = {
  /** Always true. */
  success: boolean
  /** Nothing was created. */
  dryRun?: boolean
  /** The new profiles in the order of the request. A dry run has none. */
  ids: number[]
  /** How many profiles were created. */
  profiles: number
  /** How many proxies were not stored before. */
  proxies: number
  /** How many folders were created. */
  folders: number
  /** How many statuses were created. */
  statuses: number
  /** proxies.changeIpUrl, if a proxy that was stored before kept its own link. */
  ignored?: string[]
}

/** A change of many profiles, while it runs and for a while after it. */
export type Job = {
  /** The job's id. */
  id: string
  /** What it changes. */
  kind: 'tags' | 'folder' | 'status' | 'notes' | 'proxy' | 'several' | 'trash' | 'restore' | 'delete' | 'start' | 'stop'
  /** The state of the job. It is `cancelling` until the profiles that it has begun with are done. */
  state: 'running' | 'cancelling' | 'cancelled' | 'done'
  /** How many profiles it changes. */
  total: number
  /** How many it has changed. */
  done: number
  /** How many it could not change. */
  failed: number
  /** The first 20 that it could not change, with the reasons. */
  failures: JobFailure[]
  /** When it started. */
  startedAt: string
  /** When it ended. Omitted until then. */
  endedAt?: string
}

/** A job. */
export type JobData = {
  data: Job
}

/** A profile that a job could not change. */
export type JobFailure = {
  /** The profile's id. */
  profile: number
  code: ErrorCode
  /** What went wrong, in one sentence. */
  text: string
  /** What to do next. */
  hint?: string
}

/** Several jobs. */
export type Jobs = {
  data: Job[]
}

/** A part of a journal. */
export type Journal = {
  data: JournalEntry[]
  /** The number of the journal's oldest entry, 0 if it has none. */
  first: number
  /** The number of the journal's newest entry. */
  last: number
  /** True if further entries match. */
  more: boolean
}

/** An element of a page as a tool saw it. Its name is in the page's words. */
export type JournalElement = {
  role: string
  name?: string
}

/** One step of one agent. */
export type JournalEntry = {
  /** The entry's number. The first entry is 1. */
  seq: number
  time: string
  /** The agent that took the step. */
  agent: {
    /**
     * `mcp` for an MCP client, `shell` for an agent in a shell, `cdp` for a program that uses the browser's
     * protocol, `keeper` for Cove itself.
     */
    kind: 'mcp' | 'shell' | 'cdp' | 'keeper'
    name: string
    version?: string
    /** The process ID of a program. */
    pid?: number
  }
  /** The agent's session: its steps from its connection to its leaving. Entries of the profile itself have none. */
  session?: string
  /**
   * The tool, the protocol method, or an event such as `opened` or `closed`. `lost`, `recovered`, `shortened` and
   * `gap` are entries about the journal itself.
   */
  name: string
  /** The arguments, without secrets. Arguments longer than 8 KiB are truncated. */
  args?: unknown
  /** The URL of the page that the step was about. */
  page?: string
  outcome: 'ok' | 'error' | 'refused'
  /** Why the step failed or was refused. */
  reason?: string
  /** How long the step took, in milliseconds. */
  ms: number
  element?: JournalElement
  onto?: JournalElement
  /** How many things the step was about: elements, fields, requests. */
  count?: number
  /** How many secrets the step typed. */
  secrets?: number
  /** The step as a sentence, with the reason of a step that did not succeed. */
  text: string
  /** The sentence without its reason, short enough for one line. */
  summary: string
  /**
   * `act` for a step that changes a page, `read` for one that only looks, `person` for what you did, `note` for
   * events of the profile and of the journal.
   */
  kind: 'act' | 'read' | 'person' | 'note'
  /** The name of a screenshot of the page before the step. */
  before?: string
  /** When that screenshot was taken. */
  beforeTime?: string
  /** The name of a screenshot of the page after the step. */
  after?: string
  /** The name of the screenshot that an entry named `picture` is about. */
  picture?: string
  /** The hash of the previous entry. */
  prev: string
  /** The SHA-256 of the entry's bytes before `,"hash"`. */
  hash: string
  /** Proves with this computer's key that Cove wrote the hash. */
  seal: string
}

/** The result of verifying a journal. */
export type JournalReport = {
  /** True if the journal is intact. */
  ok: boolean
  entries: number
  pictures: number
  /** When the oldest entry was written. */
  since?: string
  /** The number of the first entry that a problem is about. Missing if no problem is about an entry. */
  broken?: number
  /** One sentence per problem, at most 20. */
  problems: string[]
}

/** What one agent did between its connection and its leaving. */
export type JournalSession = {
  /**
   * Its name. Entries of versions that recorded no sessions count as one session for each agent; its name begins
   * with `old-`.
   */
  session: string
  agent: {
    kind: 'mcp' | 'shell' | 'cdp' | 'keeper'
    name: string
    version?: string
    pid?: number
  }
  /** The time of its first entry. */
  first: string
  /** The time of its last entry. */
  last: string
  firstSeq: number
  lastSeq: number
  /** Its calls and commands: `acts` and `reads`. */
  steps: number
  /** Steps that changed something, or tried to. */
  acts: number
  /** Steps that only looked. */
  reads: number
  failed: number
  refused: number
  /** How often you decided about one of its steps. */
  answers: number
}

/** The sessions of a journal, the one with the newest entry first. */
export type JournalSessions = {
  data: JournalSession[]
}

/** Several folders or statuses. */
export type LabelIDs = {
  /** Their ids, as numbers or digits. */
  ids: number[]
}

export type Live = {
  type: 'tabs' | 'picture' | 'dialog' | 'agents' | 'actions' | 'control'
  tabs?: LiveTab[]
  picture?: LivePicture
  dialog?: string
  prompt?: LivePrompt
  /** The tabs that you control. */
  control?: LiveTaken[]
  agents?: LiveAgent[]
  scripts?: number
  actions?: LiveAction[]
}

export type LiveAction = {
  n: number
  agent: string
  /** The agent's session, as in the journal. */
  session?: string
  tool: string
  about?: string
  /** The step as a sentence, with the reason of a step that did not succeed. */
  text: string
  /** The sentence without its reason, short enough for one line. */
  summary: string
  /**
   * `act` for a step that changes a page, `read` for one that only looks, `person` for what you did, `note` for
   * events of the profile and of the journal.
   */
  kind: 'act' | 'read' | 'person' | 'note'
  element?: JournalElement
  tab?: string
  touch?: LiveTouch
  /** Missing while the call goes on. */
  outcome?: 'ok' | 'error' | 'refused'
  /** Why the call failed or was refused. */
  error?: string
  at: string
  ms: number
  going?: boolean
}

export type LiveAgent = {
  name: string
  /** The agent's session, as in the journal. Omitted before its first call. */
  session?: string
  since: string
}

/**
 * Where an element is in a tab's window, in fractions of the window. A request has it as it was when the agent
 * asked, and omits it if the element wasn't visible.
 */
export type LiveBox = {
  x: number
  y: number
  w: number
  h: number
}

/** The page asks for files. */
export type LiveChooser = {
  multiple?: boolean
  /** Only the browser's own window can answer it. */
  closed?: boolean
}

export type LiveControl = {
  /** The ID of the tab. */
  tab: string
  /** `true` to take control, `false` to hand back. */
  on: boolean
  /** A message to the agents, when you hand back. */
  note?: string
}

/** A file that was saved while you were in control. */
export type LiveDownload = {
  id: string
  name: string
  state: 'inProgress' | 'completed' | 'canceled'
  bytes: number
}

export type LiveEvent = {
  t: 'down' | 'up' | 'move' | 'wheel' | 'key' | 'compose' | 'text' | 'touch' | 'choose' | 'dialog'
  /** Where, as a fraction of the picture's width. */
  x?: number
  /** Where, as a fraction of the picture's height. */
  y?: number
  /** The mouse button: 0 left, 1 middle, 2 right. */
  b?: number
  /** The number of clicks; for `choose` the place of the option. */
  n?: number
  /** Modifier keys: 1 Alt, 2 Control, 4 Meta, 8 Shift, added up. */
  m?: number
  dx?: number
  dy?: number
  key?: string
  code?: string
  text?: string
  down?: boolean
  /** What the fingers do. */
  k?: 'start' | 'move' | 'end' | 'cancel'
  /** Number, x and y of each finger, one after the other. */
  points?: number[]
  /** Whether a dialog is accepted. */
  accept?: boolean
}

export type LiveInput = {
  /** The ID of the tab. */
  tab: string
  /** The number of the picture in which you did it. */
  pic: number
  events: LiveEvent[]
}

export type LiveInputResult = {
  /** How many events reached the page. */
  done: number
  /** Events were dropped: the picture shows another document or another size. */
  stale?: boolean
  /** The text that was copied or cut. */
  copied?: string
  /** The list of the select that was pressed. */
  options?: LiveOption[]
}

export type LiveOption = {
  text: string
  group?: string
  disabled?: boolean
  chosen?: boolean
}

export type LivePicture = {
  tab: string
  mime: string
  data: string
  /** The number of the picture, for input. */
  n: number
  /** The width of the window that it shows, in CSS pixels. */
  w: number
  /** The height of the window that it shows, in CSS pixels. */
  h: number
}

/** Where the agent's pointer is in a picture. Omitted for a call that types or sets a value. */
export type LivePoint = {
  x: number
  y: number
}

/** A JavaScript dialog of the page. */
export type LivePrompt = {
  kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload'
  message: string
  default?: string
}

export type LiveTab = {
  id: string
  title: string
  url: string
  crashed?: boolean
  /** The agent that the tab belongs to. Without it the tab is nobody's. */
  owner?: string
}

/** A tab that you control. */
export type LiveTaken = {
  tab: string
  since: string
  /** The tab from which you opened this one. */
  opener?: string
  chooser?: LiveChooser
  downloads?: LiveDownload[]
}

/** What a call touched last, in fractions of the tab's picture. Known only while somebody watches the tab. */
export type LiveTouch = {
  /** Counts the touches of one call: a form has many fields. */
  n: number
  tab: string
  box: LiveBox
  pointer?: LivePoint
}

export type LocalStorageImport = {
  /** The profile's id. */
  profileId: number | string
  /** What the export returns, or the `origins` of a storageState. */
  localStorage: unknown
  /** Has no effect. */
  transfer?: boolean
  /** Has no effect. */
  cloudSyncDisabled?: boolean
}

export type LocalStorageImported = {
  /** Always true. */
  success: boolean
  /** How many entries were set. */
  imported: number
  /** What Cove does not take along. */
  ignored?: string[]
}

export type LocalStorageItem = {
  /** The origin. */
  domain: string
  /**
   * How names and values are encoded below base64. An import without it refuses names and values that have a zero
   * byte or begin with the byte 1: they may be raw records of a browser.
   */
  encoding?: 'utf-8'
  /** Names and values, in base64. */
  data: Record<string, string>
}

/** The end of the log. */
export type LogLines = {
  /** The lines, oldest first. */
  data: string[]
  /** The path of the log file. */
  path: string
}

/** The answer to a login. */
export type LoggedIn = {
  /** Always true. */
  success: true
  /**
   * A new API token. Only `/auth/login` without `/v1.0` answers with one; it replaces the token of the last such
   * login and is listed as `auth/login`.
   */
  token?: string
}

/** A login with a password. */
export type Login = {
  email?: string
  /** The same as `email`, as scripts for Dolphin send it. */
  username?: string
  password: string
}

/** What the person chooses to import. */
export type LoginChoice = {
  /** The sites. */
  sites?: string[]
  /** Every site. */
  all?: boolean
  /** Also the local storage of the sites. */
  storage?: boolean
}

/** An import of logins. It never has a value. */
export type LoginImport = {
  /** The import's id. */
  id: string
  /** The profile that gets the logins. */
  profile: number
  /** The data folder of the browser. */
  dataDir: string
  /** The folder of its profile. */
  dir: string
  /** What the import does or waits for. */
  step:
    | 'no-browser'
    | 'switch-off'
    | 'wait-allow'
    | 'other-profile'
    | 'reading'
    | 'choosing'
    | 'writing'
    | 'done'
    | 'failed'
  /** The sites that can be chosen. */
  sites: LoginSite[]
  /** Whether the browser is closed: its folder is copied, all of it or nothing. */
  copy?: boolean
  /** How many cookies cannot be taken along, because their partition has no name. */
  opaque?: number
  result?: LoginsTaken
  failure?: ErrorObject
  /** It grows with every change. */
  version: number
}

/** One import. */
export type LoginImportData = {
  data: LoginImport
}

/** An import of logins. */
export type LoginImportInput = {
  /** The profile that gets the logins. */
  profile: number
  /** The data folder of the browser, or the folder of one of its profiles. */
  dataDir: string
  /** The folder of one of its profiles, if it has several. */
  dir?: string
}

/** The import that is under way, or the last one. */
export type LoginImports = {
  data: LoginImport[]
}

/** A profile of a browser outside Cove. */
export type LoginProfile = {
  /** Its folder in the data folder. */
  dir: string
  /** The name that the browser shows. */
  name: string
}

/** A site of which that browser has something. */
export type LoginSite = {
  /** The site. */
  site: string
  /** How many cookies it has, with those that are partitioned under it. */
  cookies: number
  /** How many of its origins may have local storage. */
  origins: number
}

/** A browser that the person uses outside Cove. */
export type LoginSource = {
  /** Its name. */
  name: string
  /** Its data folder. */
  dataDir: string
  /** Whether it runs. */
  open: boolean
  /** Its profiles. */
  profiles: LoginProfile[]
}

/** The browsers that the person has used on this computer. */
export type LoginSources = {
  /** The browsers. */
  data: LoginSource[]
}

/** What an import brought. */
export type LoginsTaken = {
  /** How many cookies. */
  cookies: number
  /** How many entries of local storage. */
  entries: number
  /** The cookies that the browser did not accept as they were. */
  refused: RefusedCookie[]
  /** The origins whose local storage was not brought: a browser did not tell or not accept it. */
  refusedOrigins: string[]
  /** The chosen sites that have no cookies any more. Nothing was changed for them. */
  gone: string[]
}

/** A text, or an object that wraps it. */
export type LooseText = string | {
  value?: string
  content?: string
}

export type MCPChange = {
  client: string
  action: 'added' | 'updated' | 'removed' | 'unchanged'
  entry: MCPEntry
  /** The change line by line. */
  diff?: string
  /** What must be restarted. */
  next?: string
}

export type MCPChanges = {
  data: MCPChange[]
  /** What an agent can do with a profile. */
  warning?: string
}

export type MCPCheck = {
  connected: boolean
  tools: number
  ms: number
  error?: string
  /** What the client's own list says of the entry. */
  own?: string
}

export type MCPClient = {
  name: string
  title: string
  /** It has a folder here, or a program on the PATH. */
  installed: boolean
  /** Where its entries for this person are or would be. */
  files: string[]
  /** What it has, the usual one first: local, project, user. */
  scopes: string[]
  entries: MCPEntry[]
  skill?: SkillFile
  /** Why one of its files could not be read. */
  error?: string
}

export type MCPClients = {
  data: MCPClient[]
}

export type MCPEntry = {
  /** The server's name. */
  name: string
  profile: number
  scope: 'local' | 'project' | 'user'
  /** The folder that a local or project scope belongs to. */
  folder?: string
  file: string
  command: string
  args: string[]
  check?: MCPCheck
}

export type MCPRequest = {
  /** The profile's id. */
  profile: number
  /** The scope of the entry. Default: `user`. */
  scope?: 'local' | 'project' | 'user'
  /** The folder that a local or project scope belongs to, an absolute path. */
  folder?: string
  /** The server's name. Default: `cove-ID`. */
  name?: string
  /** Run the devtools MCP server through Node instead of the native bridge. */
  wrapper?: boolean
  /** Only show what would change. */
  dryRun?: boolean
}

export type MCPSnippet = {
  client: string
  /** Where it belongs. */
  files: string[]
  text: string
  /** A link that installs it with one click. */
  link?: string
}

/**
 * Several profiles to create: `profiles`, all of them or none; `count` copies of `template`, all of them or none;
 * or `items`, each by itself.
 */
export type MassInput = {
  /** The profiles to create. */
  profiles?: ProfileInput[]
  /** How many copies of the template to create. */
  count?: number
  /** The settings of the copies. They are named NAME 1, NAME 2 and so on. */
  template?: ProfileInput
  /** Profiles that are created each by itself: one that is refused does not stop the others. */
  items?: ProfileInput[]
  /** Fields for every item that does not have them itself. */
  common?: ProfileInput
}

/** One account. */
export type Me = {
  /** Always true. */
  success: true
  data: Account
}

/** An account to create. */
export type NewAccount = {
  /** The email address that identifies the account. */
  email: string
  /** At least 8 characters. */
  password: string
  /** The account's plan. */
  plan: 'free' | 'solo' | 'team'
}

/** What a program asks a person for. */
export type NewAsk = {
  /** What the user is asked for. */
  kind?: 'do' | 'choose' | 'text'
  /** What the user reads: 1 to 500 characters. */
  message: string
  /** 2 to 6 options, for the kind `choose`. */
  options?: string[]
  /**
   * The tab that it is about: its target id, as `Target.getTargetInfo` and `/json/list` have it. Default: the only
   * open tab, or none if there are several.
   */
  tab?: string
  /** The name of your program, for the user. */
  name?: string
}

/** A new PIN. */
export type NewPin = {
  /** The PIN: 4 to 64 characters. */
  pin: string
}

/** A secret to save. */
export type NewSecret = {
  /** 1 to 64 letters, digits, dots, dashes and underscores. */
  name: string
  /** The site where agents can type the secret, such as https://mail.example.com or https://*.example.com. */
  site: string
  /** What the secret is: a password, or totp for one-time codes. */
  kind?: 'password' | 'totp'
  /** One line of 6 to 4096 bytes. For one-time codes the site's setup key in base32, or its otpauth:// address. */
  value: string
  /** How many seconds the site's clock is ahead of this computer's, for one-time codes. */
  skew?: number
}

/** A token to create. */
export type NewToken = {
  /** What the token is for, so you can recognize it later. */
  name: string
}

export type NewWindowCode = {
  /** Create a link that asks for the owner's PIN when it is used, instead of now. */
  ask?: boolean
}

/** The answer of a call that has nothing else to say. */
export type OK = {
  /** Always true. */
  success: true
}

/** A profile that is starting, open or stopping. */
export type OpenProfile = {
  /** The profile's id. */
  id: number
  /** The profile's name. */
  name?: string
  /** The state of the profile's session. */
  state: 'starting' | 'open' | 'stopping'
  /** How the profile is open: `automation` for scripts and agents, `ordinary` for the user. */
  mode: 'automation' | 'ordinary'
}

/** How many tabs of a profile belong to one agent. */
export type OwnedTabs = {
  /** The profile's id. */
  profile: number
  /** The agent's name. Without it the tabs are nobody's. */
  owner?: string
  /** You control these tabs. */
  person?: boolean
  count: number
}

/** Whether all agents are blocked in all profiles. */
export type Panic = {
  /** True if all agents are blocked. */
  on: boolean
}

/** The response to blocking or allowing all agents. */
export type PanicData = {
  /** Always true. */
  success: true
  /** True if all agents are blocked now. */
  on: boolean
  /** The open profiles whose agents were disconnected or allowed again. */
  profiles: number[]
}

/** Whether the owner has a PIN. */
export type PinData = {
  /** True if a PIN is set. */
  set: boolean
  /** True if this window doesn't need to send the PIN now. */
  unlocked: boolean
}

/** A new plan. */
export type PlanChange = {
  /** The account to change. Defaults to the account that is logged in. */
  email?: string
  /** The new plan. */
  plan: 'free' | 'solo' | 'team'
}

/** What agents can do in a profile. */
export type Policy = {
  /** The preset. */
  preset: 'open' | 'guarded' | 'read-only' | 'off'
  sites: PolicySites
  /**
   * A class (act, leave, submit, upload, download, script, storage, clipboard, tab, local, page_tool) to yes, ask
   * or no. Omitted classes follow the preset.
   */
  rights?: Record<string, 'yes' | 'ask' | 'no'>
  /**
   * A site to the classes that agents need not ask for there (act, submit, upload, download, script, storage,
   * clipboard). What the policy denies stays denied. At most 200 sites.
   */
  always?: Record<string, string[]>
  /** One agent acts at a time. */
  oneDriver?: boolean
  /**
   * Agents act in each other's tabs. Otherwise a tab belongs to the agent that opened it, or that acted in it
   * first.
   */
  sharedTabs?: boolean
  /** Do not save screenshots in the journal. */
  noPictures?: boolean
  /** MCP clients that can request approval in their own UI: at most 20. */
  answerers?: string[]
}

/** A policy and its effective permissions. */
export type PolicyData = {
  data: Policy
  /** The effective permission for each class: the preset combined with individual permissions. */
  rights: Record<string, 'yes' | 'ask' | 'no'>
  /** The effective permissions in plain sentences. */
  words: string[]
}

/** What a policy says to a step. */
export type PolicyOutcome = {
  /** The address that was judged. */
  url: string
  /** Whether the step is allowed, needs approval, or is denied. */
  answer: 'yes' | 'ask' | 'no'
  /** The rule that decides. */
  rule: string
}

/** The sites that agents can visit: patterns such as https://*.example.com. An empty allow list allows all sites. */
export type PolicySites = {
  /** The only sites that are loaded: at most 1000 patterns. */
  allow?: string[]
  /** Sites that are never loaded: at most 1000 patterns. */
  block?: string[]
}

/** A step of an agent, and the policy that judges it. */
export type PolicyTest = {
  policy: Policy
  /** The page of the step: a URL, or a site such as example.com. */
  url: string
  /** What the step needs. Without it, the step is to open the page. */
  right?:
    | 'act'
    | 'leave'
    | 'submit'
    | 'upload'
    | 'download'
    | 'script'
    | 'storage'
    | 'clipboard'
    | 'tab'
    | 'local'
    | 'page_tool'
}

/** The result of a test. */
export type PolicyTested = {
  data: PolicyOutcome
}

/** A profile. Without a credential, only id, name, tags and state are included. */
export type Profile = {
  /** The profile's id. */
  id: number
  /** Its name. */
  name: string
  /** Its tags. */
  tags: string[]
  /** The state of its session. */
  state: 'closed' | 'starting' | 'open' | 'stopping'
  /** Whether the profile is open, or opening or closing. */
  running: boolean
  /** What it is open for. Omitted when it is closed. */
  mode?: 'automation' | 'ordinary'
  /** The preset of its agent permissions. */
  agents?: 'open' | 'guarded' | 'read-only' | 'off'
  /** The folder that it is in. */
  folder?: string
  /** Its status. Omitted if there is none. */
  status?: ProfileStatus
  /** Notes about it. */
  notes?: string
  /** The pages that open with it. */
  startPages?: string[]
  window?: Size
  /** Its language, such as en-GB. Empty for the browser's own. */
  locale?: string
  /** Its time zone, such as Europe/Berlin. Empty for the computer's own. */
  timezone?: string
  proxy?: Proxy
  /** The id of its stored proxy. Omitted if there is none. */
  proxyId?: number
  /** Extra browser arguments. */
  args?: string[]
  /** Whether pages can offer tools to agents. */
  pageTools?: 'on' | 'off'
  /** The browser that it is pinned to. Empty for the one that Cove finds. */
  browser?: string
  /** The person's own browser that the profile stands for. Omitted for a profile with data of its own. */
  external?: External
  /** What the start of a person's own browser waits for. Omitted while nothing is waited for. */
  step?: 'no-browser' | 'switch-off' | 'wait-allow' | 'other-profile'
  /**
   * Why the sharing of a person's own browser ended. Omitted while it is shared, before it was shared, and after a
   * restart of Cove.
   */
  end?: 'stopped' | 'left' | 'crashed' | 'let-go' | 'refused' | 'switched-off' | 'browser-quit' | 'keeper-ended'
  /** When it was created. */
  createdAt?: string
  /** When it was last changed. */
  updatedAt?: string
  /** When it was last opened. */
  openedAt?: string
  /** When it was moved to the trash. */
  deletedAt?: string
  startFailure?: StartFailure
}

/** One profile. */
export type ProfileData = {
  data: Profile
  /** The unknown fields of the request. Omitted if there are none. */
  ignored?: string[]
}

/** Profiles were created, edited, moved to the trash, restored or deleted. */
export type ProfileEvent = {
  /** The profiles' ids. An empty list means all profiles, or a folder without any. */
  ids: number[]
  /** What happened to the profiles. */
  change: 'created' | 'edited' | 'trashed' | 'restored' | 'deleted'
}

/** An extension of a profile. */
export type ProfileExtension = {
  /** The extension's id in Cove. */
  id: number
  /** The name that Cove shows. */
  name: string
  /** The version. */
  version: string
  /** What it says of itself. */
  description: string
  /** The id that browsers know it by. */
  extensionId: string
  /** 2 or 3. */
  manifestVersion: number
  /** Permissions, including those that it can ask for later. */
  permissions: string[]
  /** The sites that it reads and changes, as patterns. */
  hostPermissions: string[]
  /** What an agent could reach through it, in sentences. */
  reach: string[]
  /** Whether an agent could use it to get around a profile's permissions. */
  risky: boolean
  /** The size of its files in bytes. */
  size: number
  /** How many profiles have it. 0 in the lists of a profile. */
  browser_profiles_count: number
  /** When it was added. */
  created_at: string
  /** When its files last changed. */
  updated_at: string
  /** Whether the extension runs. */
  enabled: boolean
}

/** The extensions of a profile. */
export type ProfileExtensions = {
  data: ProfileExtension[]
}

/**
 * The settings of a profile. Unknown fields are ignored and listed in the answer, unless they could change the
 * profile's identity: those are refused.
 */
export type ProfileInput = {
  /** Its name. Required for a new profile. */
  name?: string
  /** Its tags: at most 50 of 64 characters. */
  tags?: Strings
  /** Notes about it: at most 20000 characters. */
  notes?: LooseText
  /**
   * The folder: its name, which is created if it is not there, or its id as a number. `""`, `0` and `null` mean
   * none.
   */
  folder?: string | number | null
  /** The status: its id, or an object with its `id`. `0` and `null` mean none. */
  status?: number | {
    id?: number
  } | null
  /** The pages that open with it: at most 50 http or https addresses, or about:blank. */
  startPages?: Strings
  window?: Size
  /** Its language, such as en-GB. Empty for the browser's own. */
  locale?: LooseText
  /** Its time zone, such as Europe/Berlin. Empty for the computer's own. */
  timezone?: LooseText
  /** Whether pages can offer tools to agents. They can if nothing says otherwise. */
  pageTools?: 'on' | 'off'
  /** Its proxy. Only an empty text or the type `none` means no proxy. The `id` of a stored proxy is enough. */
  proxy?: ProxyInput | ''
  /**
   * Extra browser arguments: at most 100. Cove allows those that are known to be safe and refuses all others. Only
   * the user can set some of them, such as `--load-extension`: with an API token the answer is 403.
   */
  args?: Strings
  /** Agent permissions. For a new profile only; later, use the policy call. */
  policy?: Policy
  /**
   * The browser that it is pinned to, a path. Empty for the one that Cove finds. With an API token, it must be one
   * that `GET /v1.0/browsers` lists; only the user can choose another.
   */
  browser?: string
}

/** One page of profiles. */
export type ProfileList = {
  data: Profile[]
  /** The page that this is, from 1. */
  current_page: number
  /** The position of the first item on this page, from 1. Null if the page is empty. */
  from: number | null
  /** The position of the last item on this page. Null if the page is empty. */
  to: number | null
  /** How many items are on a page. */
  per_page: number
  /** The last page. */
  last_page: number
  /** How many items there are on all pages. */
  total: number
  /** The URL of the list. */
  path: string
  /** The URL of the first page. */
  first_page_url: string
  /** The URL of the last page. */
  last_page_url: string
  /** The URL of the next page. */
  next_page_url: string | null
  /** The URL of the previous page. */
  prev_page_url: string | null
}

/** A word of your own for the state of a profile. */
export type ProfileStatus = {
  /** Its id. */
  id: number
  /** Its name. */
  name: string
  /** Its color. */
  color: 'red' | 'orange' | 'purple' | 'green' | 'blue'
  /** Always 0. Clients of Dolphin read it. */
  deleted: 0
}

/** The answer to an import. */
export type ProxiesImported = {
  /** Always true. */
  success: true
  /** The ids of all lines, in their order. */
  ids: number[]
  /** How many of them are new. The others were stored already. */
  created: number
  /** changeIpUrl, if a proxy kept its own link because a profile with rules uses it. */
  ignored?: string[]
}

/** A profile's proxy. */
export type Proxy = {
  /** The kind of proxy. */
  type: 'http' | 'https' | 'socks4' | 'socks5'
  /** Its name or address. */
  host: string
  /** Its port. */
  port: number
  /** Omitted if there is none. */
  login?: string
  /** Omitted if there is none. */
  password?: string
}

/** The result of a check of a proxy. */
export type ProxyCheck = {
  /** Whether the check passed. The field tested says what it has tried. */
  success: boolean
  /** The same as success. */
  status: boolean
  /** The exit address. Known only with the setting proxy.check, like the place. */
  ip: string
  /** The country, as the page of proxy.check spells it. */
  country: string
  /** The region. */
  region: string
  /** The city. */
  city: string
  /** The time zone. */
  timezone: string
  /**
   * What a check that passed has tried. Without the setting proxy.check that is the connection, and for socks5 the
   * login, too: the login of another proxy may be wrong.
   */
  tested?: 'connection' | 'login' | 'page'
  /** How long the proxy took to answer, in milliseconds. */
  latency: number
  /** When the proxy was checked. */
  createdAt: string
  /** One sentence that says what failed. */
  error?: string
  /** What the check left open, and how to learn more. */
  hint?: string
}

/** One line of the answer to a check of several proxies. */
export type ProxyChecked = {
  /** The proxy that was checked. */
  id: number
  /** How many are checked, this one included. */
  done: number
  /** How many are checked in all. */
  total: number
  check: ProxyCheck
}

/** Several stored proxies. */
export type ProxyIDs = {
  /** Their ids. */
  ids?: number[]
}

/**
 * A proxy: the id of a stored one, its fields, or a text that people paste such as `host:port:login:password`. Only
 * `null`, `""` and the type `none` mean no proxy; anything else that Cove does not understand is refused with 422.
 */
export type ProxyInput = {
  /** A stored proxy. Fields beside it must agree with it. */
  id?: number
  /** The kind of proxy. `socks` means socks5, `none` means no proxy. */
  type?: 'http' | 'https' | 'socks4' | 'socks5' | 'none'
  /** Its name or address. */
  host?: string
  /** Its port, as a number or a text. */
  port?: number | string
  /** Omit it if there is none. */
  login?: string
  /** Omit it if there is none. */
  password?: string
}

/** Proxies, one per line. */
export type ProxyLines = {
  /** The lines. */
  text: string
}

/** A cookie, without its value. */
export type RefusedCookie = {
  /** Its domain. */
  domain: string
  /** Its path. */
  path: string
  /** Its name. */
  name: string
  /** The site in whose pages alone it is visible. */
  partition?: string
}

/** One open profile. */
export type Running = {
  /** Names this session. Empty until the browser is ready. */
  runid: string
  /** The browser's process. 0 until it is ready. */
  pid: number
  /** The state of the session. */
  state: 'starting' | 'open' | 'stopping'
  /** What it is open for. */
  mode: 'automation' | 'ordinary'
  /** Whether it has no window. */
  headless: boolean
  /** Omitted in ordinary mode. */
  automation?: Automation
}

/** A secret without its value. */
export type Secret = {
  /** The name that agents use: {{secret:NAME}}, or {{totp:NAME}} for one-time codes. */
  name: string
  /** What the secret is: a password, one-time codes, or a password that a command prints. */
  kind: 'password' | 'totp' | 'command'
  /** The only site where agents can type the secret. */
  site: string
  /** When the secret was saved. */
  setAt: string
}

/** What changes of a secret for one-time codes. */
export type SecretChange = {
  /** How many seconds the site's clock is ahead of this computer's. */
  skew: number
}

/** A one-time code. */
export type SecretCode = {
  /** The code. */
  code: string
  /** How many seconds the code is valid. */
  seconds: number
}

/** One one-time code. */
export type SecretCodeData = {
  data: SecretCode
}

/** A list of secrets. */
export type Secrets = {
  /** The secrets, by name. */
  data: Secret[]
}

/** The state of a profile's session changed. */
export type SessionEvent = {
  /** The profile's id. */
  id: number
  /** The new state of the session. */
  state: 'closed' | 'starting' | 'open' | 'stopping'
  /** How the profile is open: `automation` for scripts and agents, `ordinary` for the user. */
  mode: 'automation' | 'ordinary'
  /** What the start of a person's own browser waits for. */
  step?: 'no-browser' | 'switch-off' | 'wait-allow' | 'other-profile'
  /**
   * Why the session closed: it was stopped, the user closed the window (`left`), or the browser crashed. Of a
   * person's own browser: it was let go, the person refused the connection, the box was unticked, the browser was
   * closed, or Cove's keeper died.
   */
  end?: 'stopped' | 'left' | 'crashed' | 'let-go' | 'refused' | 'switched-off' | 'browser-quit' | 'keeper-ended'
  /** Why a start failed. Only with a credential. */
  startFailure?: StartFailure
}

/** One setting of the app. */
export type Setting = {
  /** The setting's name. */
  key: string
  /** The setting's value. Empty if it was never set. */
  value: string
  /** What the setting does. */
  about: string
}

/** A setting's new value. */
export type SettingValue = {
  /** The new value. Leave empty to restore the default. */
  value: string
}

/** A list of settings. */
export type Settings = {
  data: Setting[]
}

/** A tab of a browser that its person shares. */
export type SharedTab = {
  /** The tab's id. */
  id: string
  /** Its title. */
  title: string
  /** Its address. */
  url: string
  /** Agents see it because the person shares it. */
  shared: boolean
  /** Agents see it because they, or a tab that they see, have opened it. */
  agents: boolean
}

/** The tabs of a shared browser. */
export type SharedTabs = {
  /** The tabs that can be shared. */
  data: SharedTab[]
}

/** The size of a window. */
export type Size = {
  /** In pixels: 200 to 10000, or 0 to leave it to the browser. */
  width: number
  /** In pixels: 200 to 10000, or 0 to leave it to the browser. */
  height: number
}

export type SkillChange = {
  client: string
  /** `kept`: other clients use the same file. */
  action: 'added' | 'updated' | 'removed' | 'unchanged' | 'kept'
  scope: 'project' | 'user'
  /** The folder of a project scope. */
  folder?: string
  file: string
  /** The clients for which the file is kept. */
  others?: string[]
  /** The change line by line. */
  diff?: string
  /** What has to be allowed before agents of the client reach Cove from their shell. */
  next?: string
}

export type SkillChanges = {
  data: SkillChange[]
}

export type SkillFile = {
  client: string
  scope: 'project' | 'user'
  /** The folder of a project scope. */
  folder?: string
  file: string
  /** How the file compares with this Cove's skill. */
  status: 'found' | 'older' | 'newer' | 'changed' | 'missing'
  /** The number of the file's text. It grows with each release that changes the text. */
  number?: number
  /** What the user can do about it. */
  next?: string
  /** Why the file could not be read. */
  error?: string
}

export type SkillRequest = {
  /** Default: `user`. */
  scope?: 'project' | 'user'
  /** The folder that a project scope belongs to, an absolute path. */
  folder?: string
  /** Replace or remove a file that somebody has changed. */
  force?: boolean
  /** Only show what would change. */
  dryRun?: boolean
}

/** Why the last start of a profile failed. It is gone with the next start, and when the app stops. */
export type StartFailure = {
  code: ErrorCode
  /** What went wrong, in one sentence. */
  text: string
  /** What to do next. It may be empty. */
  hint: string
  /** What the profile was to be open for. */
  mode: 'automation' | 'ordinary'
  /** When it failed. */
  at: string
}

/** The options of a start. 1, "1" and "true" mean true. */
export type StartOptions = {
  /** Open it for scripts and agents, with a gate. */
  automation?: boolean
  /** Open it without a window. */
  headless?: boolean
  /** Do not open the start pages. One blank tab opens. */
  noTabs?: boolean
}

/** The answer to a start. */
export type Started = {
  /** Always true. */
  success: true
  /** Omitted in ordinary mode. */
  automation?: Automation
  /** `temporary` for a temporary profile, otherwise omitted. */
  type?: 'temporary'
  /** The ID of a temporary profile, or of one that stands for the browser that was shared; otherwise omitted. */
  profileId?: number
  /** The unknown fields of the request. Omitted if there are none. */
  ignored: string[]
}

/** The state of the app. */
export type Status = {
  /** Always `cove`. */
  app: 'cove'
  /** The app's version. */
  version: string
  /** The app's process ID. */
  pid: number
  /** The port of this API. */
  api_port: number
  /** Why the API doesn't use its default port. Omitted if it does. */
  port_reason?: string
  /** True if another program uses the default port. */
  port_taken?: boolean
  /** The port of the API for AdsPower scripts. Omitted if it is closed. */
  adspower_port?: number
  /** Why the port that the setting adspower.port names is not open. Omitted if it is. */
  adspower_problem?: string
  /** The data folder. */
  home: string
  /** True if a user is logged in. */
  logged_in: boolean
  /** The account that is logged in. Visible only to callers with a credential. */
  account?: string
  /**
   * The command that MCP clients run, without the profile's id at its end. Visible only to callers with a
   * credential.
   */
  bridge?: string[]
  /** The plan of the account that is logged in. */
  plan?: 'free' | 'solo' | 'team'
  /** True if the plan allows opening profiles for scripts and agents. */
  automation: boolean
  /** True if all agents are blocked in all profiles. */
  panic: boolean
  /** The profiles that are starting, open or stopping. */
  open: OpenProfile[]
}

/** One status. */
export type StatusData = {
  /** Always true. */
  success: true
  data: ProfileStatus
}

/** A status for several profiles. */
export type StatusForMany = {
  /** The profiles. */
  ids: number[]
  /** The status: its id, or an object with it. 0 or null takes the status away. */
  status: number | {
    id?: number
  } | null
}

/** A status to create, or what changes about it. */
export type StatusInput = {
  /** Its name, which no other status has. */
  name?: string
  /** Its color; blue if none is sent. */
  color?: 'red' | 'orange' | 'purple' | 'green' | 'blue'
}

/** One page of statuses. */
export type StatusList = {
  data: ProfileStatus[]
  /** The page that this is, from 1. */
  current_page: number
  /** The position of the first item on this page, from 1. Null if the page is empty. */
  from: number | null
  /** The position of the last item on this page. Null if the page is empty. */
  to: number | null
  /** How many items are on a page. */
  per_page: number
  /** The last page. */
  last_page: number
  /** How many items there are on all pages. */
  total: number
  /** The URL of the list. */
  path: string
  /** The URL of the first page. */
  first_page_url: string
  /** The URL of the last page. */
  last_page_url: string
  /** The URL of the next page. */
  next_page_url: string | null
  /** The URL of the previous page. */
  prev_page_url: string | null
}

/** How to stop the app. */
export type StopApp = {
  /** Close the open profiles first. */
  profiles?: boolean
}

/** A proxy that profiles refer to by its id. */
export type StoredProxy = {
  /** Its id. */
  id: number
  /** Your name for it, or empty. */
  name: string
  /** The kind of proxy. */
  type: 'http' | 'https' | 'socks4' | 'socks5'
  /** Its name or address. */
  host: string
  /** Its port. */
  port: number
  /** Empty if there is none. */
  login: string
  /** Empty if there is none. */
  password: string
  /** The link that changes its exit address, or empty. */
  changeIpUrl: string
  /** False for a proxy that came with a profile: it goes with the last profile that uses it. */
  savedByUser: boolean
  /** The result of the last check. */
  lastCheck: ProxyCheck | null
  /** How many profiles use it, the trash included. */
  browser_profiles_count: number
  /** When it was stored. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** One stored proxy. */
export type StoredProxyData = {
  /** Always true. */
  success: true
  /** Its id. */
  proxyId: number
  data: StoredProxy
  /** Fields that Cove does not use. */
  ignored?: string[]
}

/**
 * A proxy to store, or what changes. `user`, `username` and `pass` are other names of login and password;
 * `change_ip_url` is one of changeIpUrl.
 */
export type StoredProxyInput = {
  /** The kind of proxy. `socks` and `socks5h` mean socks5, `socks4a` means socks4. */
  type?: 'http' | 'https' | 'socks4' | 'socks5'
  /** Its name or address. */
  host?: string
  /** Its port, as a number or a text. */
  port?: number | string
  /** Empty for none. */
  login?: string
  /** Empty for none. */
  password?: string
  /** Your name for it. */
  name?: string
  /** The link that changes its exit address. */
  changeIpUrl?: string
  /** A proxy as people paste it, in place of type, host, port, login and password. */
  proxy?: string
}

/** One page of stored proxies. */
export type StoredProxyList = {
  data: StoredProxy[]
  /** The page that this is, from 1. */
  current_page: number
  /** The position of the first item on this page, from 1. Null if the page is empty. */
  from: number | null
  /** The position of the last item on this page. Null if the page is empty. */
  to: number | null
  /** How many items are on a page. */
  per_page: number
  /** The last page. */
  last_page: number
  /** How many items there are on all pages. */
  total: number
  /** The URL of the list. */
  path: string
  /** The URL of the first page. */
  first_page_url: string
  /** The URL of the last page. */
  last_page_url: string
  /** The URL of the next page. */
  next_page_url: string | null
  /** The URL of the previous page. */
  prev_page_url: string | null
}

/** A list of texts. One text alone is a list of one. */
export type Strings = string[] | string

/** Which tabs agents see from now on, and which no longer. */
export type TabChoice = {
  /** The ids of tabs to share. */
  share?: string[]
  /** The ids of tabs to hide again. */
  unshare?: string[]
}

/** The response to taking control and handing it back. */
export type TakenOver = {
  /** Always true. */
  success: true
  /** True if the profile has a window of its own, which was brought to the front. */
  window: boolean
  /** The message that agents get when you hand back control. */
  note?: string
}

/** An API token. */
export type Token = {
  /** The token's id. */
  id: number
  /** What the token is for. */
  name: string
  /** The account that the token belongs to. */
  email: string
  /** When the token was created. */
  createdAt: string
  /** When the token was last used, to the minute. Omitted if it was never used. */
  usedAt?: string
  /** The token itself. Returned only when the token is created. */
  token?: string
}

/** One token. */
export type TokenData = {
  data: Token
}

/** A login with a token. */
export type TokenLogin = {
  /** An API token or the owner's token. A leading `Bearer ` is ignored. */
  token?: string
  /** The same as `token`, as scripts for Dolphin send it. */
  dolphinToken?: string
}

/** A list of tokens. */
export type Tokens = {
  data: Token[]
}

/** What the browser of one open profile uses, with all its processes. */
export type Usage = {
  /** The profile's id. */
  profile: number
  /** Its memory in bytes. What its processes share counts once. */
  memory: number
  /** Its share of one core since the reading before, in percent. 0 at the first reading. */
  cpu: number
  /** How many processes it has. */
  processes: number
}

/** What every open profile uses. */
export type Usages = {
  data: Usage[]
}

/** A user agent. */
export type UserAgent = {
  data: string
}

/** A saved view of the list of profiles. */
export type View = {
  /** Its id. */
  id: number
  /** Its name. */
  name: string
  /** The part of the window's address behind the #. */
  address: string
}

/** One view. */
export type ViewData = {
  /** Always true. */
  success: true
  data: View
}

/** A view to save, or what changes of it. A new view needs both. */
export type ViewInput = {
  /** Its name, which no other view has. */
  name?: string
  /** The part of the window's address behind the #. It begins with a slash. */
  address?: string
}

/** The saved views. */
export type Views = {
  /** The views, by name. */
  data: View[]
}

/** The graphics card, under Dolphin's names. */
export type WebGLInfo = {
  webgl_unmasked_vendor: string
  webgl_unmasked_renderer: string
  vendor: string
  renderer: string
  /** The limits of WebGL 2, by name. */
  webgl2Maximum: Record<string, unknown>
}

export type WindowCode = {
  success: boolean
  code: string
  url: string
  expiresAt: string
}

export type WindowSession = {
  success: boolean
  key: string
}

export type WindowSignIn = {
  code: string
}
