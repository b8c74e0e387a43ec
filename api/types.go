// Package api is Cove's local API as Go sees it: the types on the wire, a client, and the OpenAPI description.
package api

import (
	"encoding/json"
	"time"
)

// DefaultPort is where the app listens when nothing else has the port.
const DefaultPort = 3001

// OK is the answer of a call that has nothing else to say.
type OK struct {
	Success bool `json:"success"`
}

// Error is the body of every answer with a status of 400 or more.
type Error struct {
	Success     bool        `json:"success"`
	Error       string      `json:"error"`
	Message     string      `json:"message"`
	ErrorObject ErrorObject `json:"errorObject"`
	// Automation is how to reach the browser that runs already, with E_BROWSER_RUN_DUPLICATE.
	Automation *Automation `json:"automation,omitempty"`
}

// ErrorObject is the failure in parts.
type ErrorObject struct {
	Type string `json:"type"`
	Code string `json:"code"`
	Text string `json:"text"`
	Hint string `json:"hint"`
}

// Automation is how a script reaches an open profile.
type Automation struct {
	Port                 int    `json:"port"`
	WSEndpoint           string `json:"wsEndpoint,omitempty"`
	WebSocketDebuggerURL string `json:"webSocketDebuggerUrl,omitempty"`
}

// StartOptions are the choices of a start.
type StartOptions struct {
	Automation bool `json:"automation"`
	Headless   bool `json:"headless"`
	NoTabs     bool `json:"noTabs"`
}

// Started is the answer to a start.
type Started struct {
	Success    bool        `json:"success"`
	Automation *Automation `json:"automation,omitempty"`
	// Type and ProfileID are set for a temporary profile.
	Type      string `json:"type,omitempty"`
	ProfileID int32  `json:"profileId,omitempty"`
}

// Running is one entry of the list of open profiles.
type Running struct {
	RunID      string      `json:"runid"`
	PID        int         `json:"pid"`
	State      string      `json:"state"`
	Mode       string      `json:"mode"`
	Headless   bool        `json:"headless"`
	Automation *Automation `json:"automation,omitempty"`
}

// Profile is a profile as the API shows it. Without a credential only ID, Name, Tags and State are filled.
type Profile struct {
	ID    int32    `json:"id"`
	Name  string   `json:"name"`
	Tags  []string `json:"tags"`
	State string   `json:"state"`
	Mode  string   `json:"mode,omitempty"`
	// Agents is the preset of what agents may do here.
	Agents     string     `json:"agents,omitempty"`
	Folder     *string    `json:"folder,omitempty"`
	Notes      *string    `json:"notes,omitempty"`
	StartPages *[]string  `json:"startPages,omitempty"`
	Window     *Size      `json:"window,omitempty"`
	Locale     *string    `json:"locale,omitempty"`
	Timezone   *string    `json:"timezone,omitempty"`
	Proxy      *Proxy     `json:"proxy,omitempty"`
	Args       *[]string  `json:"args,omitempty"`
	Browser    *string    `json:"browser,omitempty"`
	CreatedAt  *time.Time `json:"createdAt,omitempty"`
	UpdatedAt  *time.Time `json:"updatedAt,omitempty"`
	OpenedAt   *time.Time `json:"openedAt,omitempty"`
	DeletedAt  *time.Time `json:"deletedAt,omitempty"`
}

// Size is a window's.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Proxy is a profile's way to the network.
type Proxy struct {
	Type     string `json:"type"`
	Host     string `json:"host"`
	Port     int    `json:"port"`
	Login    string `json:"login,omitempty"`
	Password string `json:"password,omitempty"`
}

// ProfileList is one page of profiles.
type ProfileList struct {
	Data        []Profile `json:"data"`
	CurrentPage int       `json:"current_page"`
	LastPage    int       `json:"last_page"`
	PerPage     int       `json:"per_page"`
	Total       int       `json:"total"`
	From        int       `json:"from"`
	To          int       `json:"to"`
	NextPageURL *string   `json:"next_page_url"`
	PrevPageURL *string   `json:"prev_page_url"`
	Path        string    `json:"path"`
}

// ProfileData is one profile.
type ProfileData struct {
	Data Profile `json:"data"`
}

// Created is the answer to the creation of one profile.
type Created struct {
	Success          bool    `json:"success"`
	BrowserProfileID int32   `json:"browserProfileId"`
	Data             Profile `json:"data"`
	// Ignored names the fields of the request that Cove does not know.
	Ignored []string `json:"ignored,omitempty"`
}

// CreatedMany is the answer to the creation of several.
type CreatedMany struct {
	Success bool    `json:"success"`
	IDs     []int32 `json:"ids"`
}

// ProfileInput is what may be said of a profile; a field left out keeps its value. Several fields take the shapes that clients
// of other local APIs send.
type ProfileInput struct {
	Name       *string     `json:"name,omitempty"`
	Tags       *Strings    `json:"tags,omitempty"`
	Notes      *LooseText  `json:"notes,omitempty"`
	Folder     *string     `json:"folder,omitempty"`
	StartPages *Strings    `json:"startPages,omitempty"`
	Window     *Size       `json:"window,omitempty"`
	Locale     *LooseText  `json:"locale,omitempty"`
	Timezone   *LooseText  `json:"timezone,omitempty"`
	Proxy      *LooseProxy `json:"proxy,omitempty"`
	Args       *Strings    `json:"args,omitempty"`
	Browser    *string     `json:"browser,omitempty"`
	// Policy is taken for a new profile only; later it is changed with its own call.
	Policy *StrictPolicy `json:"policy,omitempty"`
}

// MassInput creates several profiles: either a list of them, or count copies named "NAME 1", "NAME 2", …
type MassInput struct {
	Profiles []ProfileInput `json:"profiles,omitempty"`
	Count    int            `json:"count,omitempty"`
	Template *ProfileInput  `json:"template,omitempty"`
}

// IDs names several profiles.
type IDs struct {
	IDs []int32 `json:"ids"`
}

// CloneInput says how a profile is copied.
type CloneInput struct {
	Name string `json:"name,omitempty"`
	// Data copies the logins too.
	Data bool `json:"data,omitempty"`
}

// Me is who is logged in.
type Me struct {
	Success bool    `json:"success"`
	Data    Account `json:"data"`
}

// Account is a person.
type Account struct {
	Email      string    `json:"email"`
	Plan       string    `json:"plan"`
	Owner      bool      `json:"owner"`
	Automation bool      `json:"automation"`
	CreatedAt  time.Time `json:"createdAt"`
}

// Login is a login by password.
type Login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// TokenLogin is a login by token.
type TokenLogin struct {
	Token string `json:"token"`
}

// NewAccount is an account to be made.
type NewAccount struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Plan     string `json:"plan"`
}

// PlanChange is the new plan of an account; of whoever is logged in when Email is empty.
type PlanChange struct {
	Email string `json:"email,omitempty"`
	Plan  string `json:"plan"`
}

// Accounts is a list of accounts.
type Accounts struct {
	Data []Account `json:"data"`
}

// NewToken is a token to be made.
type NewToken struct {
	Name string `json:"name"`
}

// Token is an API token; Token holds the secret only in the answer that made it.
type Token struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name"`
	Email     string     `json:"email"`
	CreatedAt time.Time  `json:"createdAt"`
	UsedAt    *time.Time `json:"usedAt,omitempty"`
	Token     string     `json:"token,omitempty"`
}

// TokenData is one token.
type TokenData struct {
	Data Token `json:"data"`
}

// Tokens is a list of tokens.
type Tokens struct {
	Data []Token `json:"data"`
}

// Setting is one setting of the app.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	About string `json:"about"`
}

// Settings is a list of settings.
type Settings struct {
	Data []Setting `json:"data"`
}

// Browser is an installed browser.
type Browser struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Version string `json:"version"`
	// Used says that profiles without a browser of their own open with this one.
	Used bool `json:"used"`
}

// Browsers is a list of browsers.
type Browsers struct {
	Data []Browser `json:"data"`
}

// Finding is one thing that the app's self-examination looked at.
type Finding struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// Findings is a self-examination.
type Findings struct {
	Data []Finding `json:"data"`
}

// LogLines is the end of a log.
type LogLines struct {
	Data []string `json:"data"`
	Path string   `json:"path"`
}

// Outcomes are what a step in a journal can end with.
var Outcomes = []string{"ok", "error", "refused"}

// MaxMass is how many profiles one call makes or deletes.
const MaxMass = 1000

// MaxJournal is how many entries of a journal can be read at a time.
const MaxJournal = 1000

// JournalQuery is which entries of a journal are wanted. After and Before are numbers of entries; Agent is a part of the agent's
// name, version or process; Newest begins with the newest.
type JournalQuery struct {
	After, Before  int64
	Since          time.Time
	Agent, Outcome string
	Limit          int
	Newest         bool
}

// Journal is a part of a journal. Each entry stands as it was written: its hash is the SHA-256 of its bytes before `,"hash"`.
type Journal struct {
	Data []json.RawMessage `json:"data"`
}

// JournalEntry is one entry of a journal: one step of one agent.
type JournalEntry struct {
	Seq   int64        `json:"seq"`
	Time  time.Time    `json:"time"`
	Agent JournalAgent `json:"agent"`
	// Name is the tool, the protocol's method, or what happened.
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
	Page string          `json:"page,omitempty"`
	// Outcome is ok, error or refused; Reason is the sentence.
	Outcome string  `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	MS      float64 `json:"ms"`
	// Picture is the name of a picture of the page after the step.
	Picture string `json:"picture,omitempty"`
	Prev    string `json:"prev"`
	Hash    string `json:"hash"`
	Seal    string `json:"seal"`
}

// JournalAgent is who did a step: over mcp, over cdp, or the keeper itself.
type JournalAgent struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
}

// JournalReport is what a check of a journal found.
type JournalReport struct {
	OK       bool       `json:"ok"`
	Entries  int64      `json:"entries"`
	Pictures int        `json:"pictures"`
	Since    *time.Time `json:"since,omitempty"`
	Problems []string   `json:"problems"`
}

// StopApp ends the app.
type StopApp struct {
	// Profiles closes the open profiles first.
	Profiles bool `json:"profiles"`
}

// Agent is a program that works in an open profile.
type Agent struct {
	Profile int32  `json:"profile"`
	Name    string `json:"name"`
	// Kind is agent for a client of the tools, script for one of the gate.
	Kind  string     `json:"kind"`
	Since *time.Time `json:"since,omitempty"`
}

// Agents is a list of them.
type Agents struct {
	Data []Agent `json:"data"`
}

// Live is one line of the live view's stream; Type says which of the others is set.
type Live struct {
	Type    string       `json:"type"`
	Tabs    []LiveTab    `json:"tabs,omitempty"`
	Picture *LivePicture `json:"picture,omitempty"`
	Dialog  string       `json:"dialog,omitempty"`
	Agents  []LiveAgent  `json:"agents,omitempty"`
	Scripts int          `json:"scripts,omitempty"`
	Actions []LiveAction `json:"actions,omitempty"`
}

// LiveTab is an open tab.
type LiveTab struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Crashed bool   `json:"crashed,omitempty"`
}

// LivePicture is what a tab looks like now; Data is base64.
type LivePicture struct {
	Tab  string `json:"tab"`
	MIME string `json:"mime"`
	Data string `json:"data"`
}

// LiveAgent is a connected agent.
type LiveAgent struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// LiveAction is one call of a tool: never what was typed.
type LiveAction struct {
	N      int       `json:"n"`
	Agent  string    `json:"agent"`
	Tool   string    `json:"tool"`
	About  string    `json:"about,omitempty"`
	Tab    string    `json:"tab,omitempty"`
	Error  string    `json:"error,omitempty"`
	At     time.Time `json:"at"`
	Millis int64     `json:"ms"`
	Going  bool      `json:"going,omitempty"`
}

// WindowCode is a link that signs one page in, once and soon.
type WindowCode struct {
	Success   bool      `json:"success"`
	Code      string    `json:"code"`
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// NewWindowCode is how a link shall be.
type NewWindowCode struct {
	// Ask makes one that needs the owner's PIN, where there is one, when it is used instead of now.
	Ask bool `json:"ask,omitempty"`
}

// WindowSignIn is a code on its way back.
type WindowSignIn struct {
	Code string `json:"code"`
}

// WindowSession is a page that is signed in: the cookie comes as a header, the key is for its header Cove-Window.
type WindowSession struct {
	Success bool   `json:"success"`
	Key     string `json:"key"`
}

// Status is the state of the app.
type Status struct {
	App        string `json:"app"`
	Version    string `json:"version"`
	PID        int    `json:"pid"`
	APIPort    int    `json:"api_port"`
	PortReason string `json:"port_reason,omitempty"`
	Home       string `json:"home"`
	LoggedIn   bool   `json:"logged_in"`
	// Account and Bridge are shown to callers with a credential only. Bridge is the command that MCP clients run, before the
	// profile's id.
	Account    string   `json:"account,omitempty"`
	Bridge     []string `json:"bridge,omitempty"`
	Plan       string   `json:"plan,omitempty"`
	Automation bool     `json:"automation"`
	// Panic: every agent is kept out of every profile.
	Panic bool          `json:"panic"`
	Open  []OpenProfile `json:"open"`
}

// OpenProfile is a profile that is not closed.
type OpenProfile struct {
	ID    int32  `json:"id"`
	Name  string `json:"name,omitempty"`
	State string `json:"state"`
	Mode  string `json:"mode"`
}

// Event is one server-sent event; Type says which of the others is set.
type Event struct {
	Type    string        `json:"type"`
	Session *SessionEvent `json:"session,omitempty"`
	Profile *ProfileEvent `json:"profile,omitempty"`
	// Desk and Panic are sent to callers with a credential only.
	Desk  *Desk  `json:"desk,omitempty"`
	Panic *Panic `json:"panic,omitempty"`
}

// SessionEvent is a change of a profile's state.
type SessionEvent struct {
	ID    int32  `json:"id"`
	State string `json:"state"`
	Mode  string `json:"mode"`
	// End tells why a session closed: stopped, left or crashed.
	End string `json:"end,omitempty"`
}

// ProfileEvent is a change of what profiles are.
type ProfileEvent struct {
	IDs    []int32 `json:"ids"`
	Change string  `json:"change"`
}

// MCPClient is a program that agents run in, such as Claude Code, on this computer.
type MCPClient struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Installed says that it has a folder here, or a program on the PATH.
	Installed bool `json:"installed"`
	// Files is where its entries for this person are or would be.
	Files []string `json:"files"`
	// Scopes is what it has, the usual one first: local, project, user.
	Scopes  []string   `json:"scopes"`
	Entries []MCPEntry `json:"entries"`
	// Error says why one of its files could not be read.
	Error string `json:"error,omitempty"`
}

// MCPEntry is a profile's server in the file of a client.
type MCPEntry struct {
	Name    string `json:"name"`
	Profile int32  `json:"profile"`
	Scope   string `json:"scope"`
	// Folder is the one that a local or project scope belongs to.
	Folder  string   `json:"folder,omitempty"`
	File    string   `json:"file"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	// Check is the outcome of a live check, where one was asked for.
	Check *MCPCheck `json:"check,omitempty"`
}

// MCPCheck is what an entry's very command did when it was run.
type MCPCheck struct {
	Connected bool    `json:"connected"`
	Tools     int     `json:"tools"`
	Millis    float64 `json:"ms"`
	Error     string  `json:"error,omitempty"`
	// Own is what the client's own list says of the entry.
	Own string `json:"own,omitempty"`
}

// MCPClients is a list of clients.
type MCPClients struct {
	Data []MCPClient `json:"data"`
}

// MCPRequest asks for an entry to be added to a client, or removed.
type MCPRequest struct {
	Profile int32 `json:"profile"`
	// Scope is local, project or user; user when it is empty.
	Scope string `json:"scope,omitempty"`
	// Folder is the one that a local or project scope belongs to, an absolute path.
	Folder string `json:"folder,omitempty"`
	// Name is the server's; cove-ID when it is empty.
	Name string `json:"name,omitempty"`
	// Wrapper runs the devtools MCP server through Node instead of the native bridge.
	Wrapper bool `json:"wrapper,omitempty"`
	// DryRun only tells what would change.
	DryRun bool `json:"dryRun,omitempty"`
}

// MCPChange is what was done to one file of a client.
type MCPChange struct {
	Client string   `json:"client"`
	Action string   `json:"action"`
	Entry  MCPEntry `json:"entry"`
	// Diff shows the change line by line.
	Diff string `json:"diff,omitempty"`
	// Next says what has to be restarted.
	Next string `json:"next,omitempty"`
}

// MCPChanges is the answer to an addition or a removal.
type MCPChanges struct {
	Data []MCPChange `json:"data"`
	// Warning says what an agent may do with a profile.
	Warning string `json:"warning,omitempty"`
}

// MCPSnippet is an entry for a person to paste.
type MCPSnippet struct {
	Client string   `json:"client"`
	Files  []string `json:"files"`
	Text   string   `json:"text"`
	// Link installs the entry with a click, where the client has such an address.
	Link string `json:"link,omitempty"`
}
