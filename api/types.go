// Package api is Cove's local API for Go programs: the types on the wire, a client, and the OpenAPI description.
package api

import (
	"encoding/json"
	"time"

	"cove/internal/fault"
	"cove/internal/profile/id"
	"cove/internal/proxy"
)

// DefaultPort is the app's port, unless another program uses it.
const DefaultPort = 3001

// ProfileID is the id of a profile.
type ProfileID = id.ID

// ProxyID is the id of a stored proxy.
type ProxyID = proxy.ID

// FolderID is the id of a folder.
type FolderID int32

// StatusID is the id of a status.
type StatusID int32

// ViewID is the id of a saved view.
type ViewID int32

// OK is the answer of a call that returns no data.
type OK struct {
	Success bool `json:"success"`
}

// Error is the body of every answer with a status of 400 or more.
type Error struct {
	Success     bool        `json:"success"`
	Error       string      `json:"error"`
	Message     string      `json:"message"`
	ErrorObject ErrorObject `json:"errorObject"`
	// Automation is how to reach the browser that is already running. It is set with E_BROWSER_RUN_DUPLICATE.
	Automation *Automation `json:"automation,omitempty"`
}

// ErrorObject is the parts of a failure.
type ErrorObject struct {
	Type fault.Kind `json:"type"`
	Code fault.Code `json:"code"`
	Text string     `json:"text"`
	Hint string     `json:"hint"`
	// Field names the input that is wrong, as the request spells it. Members of objects follow a dot: proxy.host.
	Field string `json:"field,omitempty"`
}

// Automation is how a script reaches an open profile.
type Automation struct {
	Port                 int    `json:"port"`
	WSEndpoint           string `json:"wsEndpoint,omitempty"`
	WebSocketDebuggerURL string `json:"webSocketDebuggerUrl,omitempty"`
	// Hint says why both addresses are missing.
	Hint string `json:"hint,omitempty"`
}

// StartOptions are the options of a start.
type StartOptions struct {
	Automation bool `json:"automation"`
	Headless   bool `json:"headless"`
	NoTabs     bool `json:"noTabs"`
}

// Started is the answer to a start.
type Started struct {
	Success    bool        `json:"success"`
	Automation *Automation `json:"automation,omitempty"`
	// Type is set for a temporary profile.
	Type string `json:"type,omitempty"`
	// ProfileID is set for a temporary profile, and for the person's own browser when it is shared.
	ProfileID ProfileID `json:"profileId,omitempty"`
	// Ignored are the fields of the request that Cove does not use. Other answers to changes have it, too.
	Ignored []string `json:"ignored"`
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

// Profile is a profile as the API returns it. Without a credential, only ID, Name, Tags and State are set.
type Profile struct {
	ID    ProfileID `json:"id"`
	Name  string    `json:"name"`
	Tags  []string  `json:"tags"`
	State string    `json:"state"`
	Mode  string    `json:"mode,omitempty"`
	// Running reports whether the profile is open, or opening or closing.
	Running bool `json:"running"`
	// Agents is the preset of the profile's policy.
	Agents     string         `json:"agents,omitempty"`
	Folder     *string        `json:"folder,omitempty"`
	Status     *ProfileStatus `json:"status,omitempty"`
	Notes      *string        `json:"notes,omitempty"`
	StartPages *[]string      `json:"startPages,omitempty"`
	Window     *Size          `json:"window,omitempty"`
	Locale     *string        `json:"locale,omitempty"`
	Timezone   *string        `json:"timezone,omitempty"`
	Proxy      *Proxy         `json:"proxy,omitempty"`
	ProxyID    ProxyID        `json:"proxyId,omitempty"`
	Args       *[]string      `json:"args,omitempty"`
	PageTools  *string        `json:"pageTools,omitempty"`
	Browser    *string        `json:"browser,omitempty"`
	// External is the browser outside Cove that the profile stands for. Nil for a profile with data of its own.
	External *External `json:"external,omitempty"`
	// Step says what the start of such a profile waits for, and End why it closed, as in SessionEvent.
	Step      string     `json:"step,omitempty"`
	End       string     `json:"end,omitempty"`
	CreatedAt *time.Time `json:"createdAt,omitempty"`
	UpdatedAt *time.Time `json:"updatedAt,omitempty"`
	OpenedAt  *time.Time `json:"openedAt,omitempty"`
	DeletedAt *time.Time `json:"deletedAt,omitempty"`
	// StartFailure says why the last start failed. It is gone with the next start, and when the app stops.
	StartFailure *StartFailure `json:"startFailure,omitempty"`
}

// StartFailure is a start that failed.
type StartFailure struct {
	Code fault.Code `json:"code"`
	Text string     `json:"text"`
	Hint string     `json:"hint"`
	// Mode is what the profile was to be open for: automation or ordinary.
	Mode string    `json:"mode"`
	At   time.Time `json:"at"`
}

// Usage is what the browser of an open profile uses.
type Usage struct {
	Profile ProfileID `json:"profile"`
	// Memory is in bytes, and CPU the percentage of one core since the reading before.
	Memory    int64   `json:"memory"`
	CPU       float64 `json:"cpu"`
	Processes int     `json:"processes"`
}

// Usages is what every open profile uses.
type Usages struct {
	Data []Usage `json:"data"`
}

// Size is the size of a window.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Proxy is a profile's upstream proxy.
type Proxy struct {
	Type     string `json:"type"`
	Host     string `json:"host"`
	Port     int    `json:"port"`
	Login    string `json:"login,omitempty"`
	Password string `json:"password,omitempty"`
}

// ProfileList is one page of profiles.
type ProfileList struct {
	Data []Profile `json:"data"`
	PageInfo
}

// ProfileData is one profile.
type ProfileData struct {
	Data    Profile  `json:"data"`
	Ignored []string `json:"ignored,omitzero"` // only after an edit
}

// Created is the answer to creating one profile.
type Created struct {
	Success          bool      `json:"success"`
	BrowserProfileID ProfileID `json:"browserProfileId"`
	Data             Profile   `json:"data"`
	Ignored          []string  `json:"ignored"`
}

// CreatedMany is the answer to creating several profiles.
type CreatedMany struct {
	// Success reports whether every profile was created.
	Success bool        `json:"success"`
	IDs     []ProfileID `json:"ids"`
	// Failed are the items of the request that were not created, and Errors why, in the same order.
	Failed  []json.RawMessage `json:"failed"`
	Errors  []ErrorObject     `json:"errors"`
	Ignored []string          `json:"ignored"`
}

// ProfileInput describes a profile. A field that is left out stays unchanged. Several fields accept the shapes that
// clients of other local APIs send.
type ProfileInput struct {
	Name       *string      `json:"name,omitempty"`
	Tags       *Strings     `json:"tags,omitempty"`
	Notes      *LooseNotes  `json:"notes,omitempty"`
	Folder     *LooseFolder `json:"folder,omitempty"`
	Status     *LooseStatus `json:"status,omitempty"`
	StartPages *Strings     `json:"startPages,omitempty"`
	Window     *Size        `json:"window,omitempty"`
	Locale     *LooseText   `json:"locale,omitempty"`
	Timezone   *LooseText   `json:"timezone,omitempty"`
	Proxy      *LooseProxy  `json:"proxy,omitempty"`
	Args       *Strings     `json:"args,omitempty"`
	PageTools  *string      `json:"pageTools,omitempty"`
	Browser    *string      `json:"browser,omitempty"`
	// Policy is accepted for a new profile only. Later changes have a call of their own.
	Policy *StrictPolicy `json:"policy,omitempty"`
}

// MassInput creates several profiles: a list of them, all or none; or count copies named "NAME 1", "NAME 2" and so on,
// all or none; or items, each by itself.
type MassInput struct {
	// Items are profiles. A field that an item does not have is taken from Common.
	Items    []ProfileInput `json:"items,omitempty"`
	Common   *ProfileInput  `json:"common,omitempty"`
	Profiles []ProfileInput `json:"profiles,omitempty"`
	Count    int            `json:"count,omitempty"`
	Template *ProfileInput  `json:"template,omitempty"`
}

// IDs names several profiles.
type IDs struct {
	IDs IDList `json:"ids"`
	// ForceDelete deletes them permanently instead of moving them to the trash.
	ForceDelete Flag `json:"forceDelete,omitempty"`
}

// CloneInput says how a profile is copied.
type CloneInput struct {
	Name string `json:"name,omitempty"`
	// Data also copies the browser's data, with its logins.
	Data bool `json:"data,omitempty"`
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
	// Used reports whether profiles without a browser of their own open with this one.
	Used bool `json:"used"`
}

// Browsers is a list of browsers.
type Browsers struct {
	Data []Browser `json:"data"`
}

// Finding is the result of one check of the app and this computer.
type Finding struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// Findings are the results of all checks.
type Findings struct {
	Data []Finding `json:"data"`
}

// LogLines is the end of a log.
type LogLines struct {
	Data []string `json:"data"`
	Path string   `json:"path"`
}

// MaxMass is how many profiles one call can create or delete.
const MaxMass = 1000

// StopApp says how to end the app.
type StopApp struct {
	// Profiles closes the open profiles first.
	Profiles bool `json:"profiles"`
}

// WindowCode is a link that signs one page in. It works once, and only for a short time.
type WindowCode struct {
	Success   bool      `json:"success"`
	Code      string    `json:"code"`
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// NewWindowCode describes a link to create.
type NewWindowCode struct {
	// NeedsPIN asks for the owner's PIN, if there is one, when the link is used instead of now.
	NeedsPIN bool `json:"ask,omitempty"`
}

// WindowSignIn trades the code of a link for a session.
type WindowSignIn struct {
	Code string `json:"code"`
}

// WindowSession is a page that is signed in. The answer sets a cookie; the page sends the key as the header
// Cove-Window.
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
	PortTaken  bool   `json:"port_taken,omitempty"` // another program has the usual port
	// AdsPowerPort is the port of the API for AdsPower scripts; AdsPowerProblem says why the port of the settings is
	// not open.
	AdsPowerPort    int    `json:"adspower_port,omitempty"`
	AdsPowerProblem string `json:"adspower_problem,omitempty"`
	Home            string `json:"home"`
	LoggedIn        bool   `json:"logged_in"`
	// Account and Bridge are for callers with a credential only. Bridge is the command that MCP clients run, without
	// the profile's id.
	Account    string   `json:"account,omitempty"`
	Bridge     []string `json:"bridge,omitempty"`
	Plan       string   `json:"plan,omitempty"`
	Automation bool     `json:"automation"`
	// Panic reports whether every agent is suspended in every profile.
	Panic bool          `json:"panic"`
	Open  []OpenProfile `json:"open"`
}

// OpenProfile is a profile that is not closed.
type OpenProfile struct {
	ID    ProfileID `json:"id"`
	Name  string    `json:"name,omitempty"`
	State string    `json:"state"`
	Mode  string    `json:"mode"`
}

// Event is one server-sent event. Type says which of the other fields is set.
type Event struct {
	Type    string        `json:"type"`
	Session *SessionEvent `json:"session,omitempty"`
	Profile *ProfileEvent `json:"profile,omitempty"`
	// Access and Panic are for callers with a credential only.
	Access *Access `json:"access,omitempty"`
	Panic  *Panic  `json:"panic,omitempty"`
	// Request is for callers with a credential only. It has no picture.
	Request *Request `json:"request,omitempty"`
	// Job is for callers with a credential only.
	Job *Job `json:"job,omitempty"`
}

// SessionEvent is a change of a profile's state.
type SessionEvent struct {
	ID    ProfileID `json:"id"`
	State string    `json:"state"`
	Mode  string    `json:"mode"`
	// Step says what the start of a person's own browser waits for: no-browser, switch-off, wait-allow or
	// other-profile.
	Step string `json:"step,omitempty"`
	// End says why a session closed: stopped, left or crashed; of a person's own browser let-go, refused,
	// switched-off, browser-quit or keeper-ended.
	End string `json:"end,omitempty"`
	// StartFailure says why a start failed. It is for callers with a credential only.
	StartFailure *StartFailure `json:"startFailure,omitempty"`
}

// ProfileEvent is a change of stored profiles.
type ProfileEvent struct {
	IDs    []ProfileID `json:"ids"`
	Change string      `json:"change"`
}
