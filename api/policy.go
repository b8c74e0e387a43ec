package api

import (
	"context"
	"net/http"
	"time"
)

// Policy says what agents may do in a profile.
type Policy struct {
	// Preset is open, guarded, read-only or off.
	Preset string      `json:"preset"`
	Sites  PolicySites `json:"sites"`
	// Rights are the differences from the preset. They map a class (act, leave, submit, upload, download, script,
	// storage, clipboard, tab, local, page_tool) to yes, ask or no.
	Rights map[string]string `json:"rights,omitempty"`
	// Always maps a site to the rights that agents need not ask for there: act, submit, upload, download, script,
	// storage or clipboard. Where the policy says no, it stays no.
	Always map[string][]string `json:"always,omitempty"`
	// OneDriver lets one agent act at a time.
	OneDriver bool `json:"oneDriver,omitempty"`
	// SharedTabs lets every agent act in every tab. Otherwise a tab belongs to the agent that opened or took it.
	SharedTabs bool `json:"sharedTabs,omitempty"`
	// NoPictures stores no screenshots in the journal.
	NoPictures bool `json:"noPictures,omitempty"`
	// Answerers are MCP clients, by the names that they give themselves, in which the person can answer requests.
	Answerers []string `json:"answerers,omitempty"`
}

// PolicySites says where agents may go. An empty allow list allows all sites.
type PolicySites struct {
	Allow []string `json:"allow,omitempty"`
	Block []string `json:"block,omitempty"`
}

// PolicyData is a profile's policy and what it means.
type PolicyData struct {
	Data Policy `json:"data"`
	// Rights is the answer for every class, from the preset and the single rights together.
	Rights map[string]string `json:"rights"`
	// Words says the same in plain sentences.
	Words []string `json:"words"`
}

// PolicyTest asks what a policy says to a step of an agent. The policy need not be the one of a profile.
type PolicyTest struct {
	Policy *StrictPolicy `json:"policy"`
	// URL is the page of the step. A site as people write it will do.
	URL string `json:"url"`
	// Right is what the step needs: act, submit, upload, download, script, storage, clipboard, tab or page_tool.
	// Without it, the step is to open the page.
	Right string `json:"right,omitempty"`
}

// PolicyOutcome is what a policy says to a step.
type PolicyOutcome struct {
	// URL is the address that was judged.
	URL string `json:"url"`
	// Answer is yes, ask or no.
	Answer string `json:"answer"`
	// Rule says which rule decides.
	Rule string `json:"rule"`
}

// PolicyTested is the answer to a PolicyTest.
type PolicyTested struct {
	Data PolicyOutcome `json:"data"`
}

// TestPolicy tests a policy.
func (c *Client) TestPolicy(ctx context.Context, in PolicyTest) (out PolicyTested, err error) {
	err = c.Do(ctx, http.MethodPost, "/policy/test", in, &out)
	return out, err
}

// AccessAgent is an agent that is connected to an open profile.
type AccessAgent struct {
	// Kind is mcp for an MCP client and cdp for a program on the gate's port.
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
	// Session is the agent's session, as in the journal. It and Paused are set for agents that are connected.
	Session string `json:"session,omitempty"`
	Paused  bool   `json:"paused,omitempty"`
}

// AgentPause pauses one agent, or lets it continue.
type AgentPause struct {
	Pause *bool `json:"pause"`
}

// Approval is a step of an agent that waits for a person's approval.
type Approval struct {
	// ID is unique across profiles, such as 3-1.
	ID      string      `json:"id"`
	Profile ProfileID   `json:"profile"`
	Agent   AccessAgent `json:"agent"`
	// Class is the right that the step needs.
	Class string `json:"class"`
	// What says in one sentence what will happen.
	What string `json:"what"`
	// Page is the URL of the page that the step is about.
	Page        string    `json:"page"`
	RequestedAt time.Time `json:"askedAt"`
	// Picture is an image of what the step is about, a PNG or JPEG in base64. Events leave it out.
	Picture []byte `json:"picture,omitempty"`
}

// Approvals are the requests that wait in every open profile, the oldest first.
type Approvals struct {
	Data []Approval `json:"data"`
}

// Decision is the answer to an approval.
type Decision struct {
	Allow bool `json:"allow"`
	// Always allows every later request of the same agent for the same class, until the agent disconnects.
	Always bool `json:"always,omitempty"`
}

// Access is who works in an open profile and what they request.
type Access struct {
	Profile  ProfileID     `json:"profile"`
	Agents   []AccessAgent `json:"agents"`
	Requests []Approval    `json:"requests"`
	// Takeover reports whether the person works in the profile while agents wait.
	Takeover bool `json:"takenOver"`
	// Suspended reports whether every agent is suspended.
	Suspended bool `json:"suspended"`
	// Driver is the agent that acts, in a profile where only one at a time does.
	Driver *AccessAgent `json:"driver,omitempty"`
	// Controlled are the tabs that the person works in.
	Controlled []string `json:"controlled,omitempty"`
}

// AccessData wraps one Access.
type AccessData struct {
	Data Access `json:"data"`
}

// Takeover is the answer to taking over and to handing back.
type Takeover struct {
	Success bool `json:"success"`
	// Window reports whether the profile has a window of its own, which is in front now.
	Window bool `json:"window"`
	// Note is what agents read when the profile is handed back.
	Note string `json:"note,omitempty"`
}

// Panic says whether every agent is suspended in every profile.
type Panic struct {
	On bool `json:"on"`
}

// PanicData is the answer to setting the panic switch.
type PanicData struct {
	Success bool `json:"success"`
	On      bool `json:"on"`
	// Profiles are the open profiles whose agents were suspended or admitted again.
	Profiles []ProfileID `json:"profiles"`
}

// Approvals lists the requests that wait for a person.
func (c *Client) Approvals(ctx context.Context) (a Approvals, err error) {
	err = c.Do(ctx, http.MethodGet, "/approvals", nil, &a)
	return a, err
}

// Decide approves or denies a request.
func (c *Client) Decide(ctx context.Context, id string, d Decision) error {
	return c.Do(ctx, http.MethodPost, "/approvals/"+id, d, nil)
}

// Takeover makes the agents of a profile wait. GiveBack lets them continue.
func (c *Client) Takeover(ctx context.Context, id ProfileID) (t Takeover, err error) {
	err = c.Do(ctx, http.MethodPost, profilePath(id, "/takeover"), nil, &t)
	return t, err
}

// GiveBack lets the agents of a profile continue.
func (c *Client) GiveBack(ctx context.Context, id ProfileID) (t Takeover, err error) {
	err = c.Do(ctx, http.MethodPost, profilePath(id, "/giveback"), nil, &t)
	return t, err
}

// Panic suspends every agent in every profile, or lifts that.
func (c *Client) Panic(ctx context.Context, on bool) (p PanicData, err error) {
	err = c.Do(ctx, http.MethodPost, "/panic", Panic{On: on}, &p)
	return p, err
}

// PinData says whether the owner has a PIN.
type PinData struct {
	Set bool `json:"set"`
	// Unlocked reports whether the window that asks can go on without sending the PIN now.
	Unlocked bool `json:"unlocked"`
}

// NewPin is a PIN to set. The present one is sent as the header Cove-Pin.
type NewPin struct {
	PIN string `json:"pin"`
}

// PINData reports whether there is a PIN.
func (c *Client) PINData(ctx context.Context) (p PinData, err error) {
	err = c.Do(ctx, http.MethodGet, "/pin", nil, &p)
	return p, err
}

// SetPIN sets or changes the PIN.
func (c *Client) SetPIN(ctx context.Context, pin string) error {
	return c.Do(ctx, http.MethodPut, "/pin", NewPin{PIN: pin}, nil)
}

// ClearPIN removes the PIN.
func (c *Client) ClearPIN(ctx context.Context) error {
	return c.Do(ctx, http.MethodDelete, "/pin", nil, nil)
}

// PolicyCalls are the calls about the policy of one profile.
type PolicyCalls struct {
	client *Client
	id     ProfileID
}

// Policy returns the calls about the policy of a profile.
func (c *Client) Policy(id ProfileID) PolicyCalls { return PolicyCalls{c, id} }

// Get reads a profile's policy.
func (c PolicyCalls) Get(ctx context.Context) (p PolicyData, err error) {
	err = c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/policy"), nil, &p)
	return p, err
}

// Set changes a profile's policy. It takes effect immediately.
func (c PolicyCalls) Set(ctx context.Context, in Policy) (p PolicyData, err error) {
	err = c.client.Do(ctx, http.MethodPut, profilePath(c.id, "/policy"), in, &p)
	return p, err
}
