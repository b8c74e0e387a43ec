package api

import (
	"context"
	"net/http"
	"time"
)

// Policy is what agents may do in a profile.
type Policy struct {
	// Preset is open, guarded, read-only or off.
	Preset string      `json:"preset"`
	Sites  PolicySites `json:"sites"`
	// Rights are what differs from the preset: a class (act, leave, submit, upload, download, script, storage, clipboard, local) to yes, ask or no.
	Rights map[string]string `json:"rights,omitempty"`
	// OneDriver lets one agent act at a time.
	OneDriver bool `json:"oneDriver,omitempty"`
	// NoPictures keeps pictures out of the journal.
	NoPictures bool `json:"noPictures,omitempty"`
	// Answerers are the MCP clients, by the name that they give themselves, whose person may answer requests in the client.
	Answerers []string `json:"answerers,omitempty"`
}

// PolicySites is where agents may go; an empty list of allowed ones allows all.
type PolicySites struct {
	Allow []string `json:"allow,omitempty"`
	Block []string `json:"block,omitempty"`
}

// PolicyData is a profile's policy and what it means.
type PolicyData struct {
	Data Policy `json:"data"`
	// Rights is the answer to every class, preset and single rules together.
	Rights map[string]string `json:"rights"`
	// Words is the same in plain sentences.
	Words []string `json:"words"`
}

// Policy reads a profile's policy.
func (c *Client) Policy(ctx context.Context, id int32) (p PolicyData, err error) {
	err = c.Do(ctx, http.MethodGet, profilePath(id, "/policy"), nil, &p)
	return p, err
}

// SetPolicy changes it; it is in force at once.
func (c *Client) SetPolicy(ctx context.Context, id int32, in Policy) (p PolicyData, err error) {
	err = c.Do(ctx, http.MethodPut, profilePath(id, "/policy"), in, &p)
	return p, err
}

// AccessAgent is an agent that is connected to an open profile.
type AccessAgent struct {
	// Kind is mcp for a client of the tools, cdp for a program on the gate's port.
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
}

// Approval is a step of an agent that waits for a person's yes.
type Approval struct {
	// ID is unique over profiles, such as 3-1.
	ID      string      `json:"id"`
	Profile int32       `json:"profile"`
	Agent   AccessAgent `json:"agent"`
	// Class is the right that it needs.
	Class string `json:"class"`
	// What will happen, in one sentence.
	What string `json:"what"`
	// Page is the address of the page that it is about.
	Page    string    `json:"page"`
	AskedAt time.Time `json:"askedAt"`
	// Picture is what it is about, a PNG or JPEG in base64; left out in events.
	Picture []byte `json:"picture,omitempty"`
}

// Approvals is what waits in every open profile, the oldest first.
type Approvals struct {
	Data []Approval `json:"data"`
}

// Decision is the answer to an approval.
type Decision struct {
	Allow bool `json:"allow"`
	// Always allows whatever the same agent asks of the same class until it leaves.
	Always bool `json:"always,omitempty"`
}

// Access is who works in an open profile and what they ask for.
type Access struct {
	Profile  int32         `json:"profile"`
	Agents   []AccessAgent `json:"agents"`
	Requests []Approval    `json:"requests"`
	// TakenOver: the person works in the profile, agents wait.
	TakenOver bool `json:"takenOver"`
	// Suspended: every agent is kept out.
	Suspended bool `json:"suspended"`
	// Driver is who acts, where one at a time does.
	Driver *AccessAgent `json:"driver,omitempty"`
}

// AccessData is one Access.
type AccessData struct {
	Data Access `json:"data"`
}

// TakenOver is the answer to taking over and giving back.
type TakenOver struct {
	Success bool `json:"success"`
	// Window tells that the profile has one, which is in front now.
	Window bool `json:"window"`
	// Note is what the agents are told when the profile is given back.
	Note string `json:"note,omitempty"`
}

// Panic says whether every agent is kept out of every profile.
type Panic struct {
	On bool `json:"on"`
}

// PanicData is the answer to it.
type PanicData struct {
	Success bool `json:"success"`
	On      bool `json:"on"`
	// Profiles are the open ones whose agents were thrown out, or let in again.
	Profiles []int32 `json:"profiles"`
}

// Approvals lists what waits for a person.
func (c *Client) Approvals(ctx context.Context) (a Approvals, err error) {
	err = c.Do(ctx, http.MethodGet, "/approvals", nil, &a)
	return a, err
}

// Decide answers an approval.
func (c *Client) Decide(ctx context.Context, id string, d Decision) error {
	return c.Do(ctx, http.MethodPost, "/approvals/"+id, d, nil)
}

// TakeOver makes the agents of a profile wait; GiveBack lets them go on.
func (c *Client) TakeOver(ctx context.Context, id int32) (t TakenOver, err error) {
	err = c.Do(ctx, http.MethodPost, profilePath(id, "/takeover"), nil, &t)
	return t, err
}

// GiveBack lets the agents of a profile go on.
func (c *Client) GiveBack(ctx context.Context, id int32) (t TakenOver, err error) {
	err = c.Do(ctx, http.MethodPost, profilePath(id, "/giveback"), nil, &t)
	return t, err
}

// Panic throws every agent out of every profile, or lets them in again.
func (c *Client) Panic(ctx context.Context, on bool) (p PanicData, err error) {
	err = c.Do(ctx, http.MethodPost, "/panic", Panic{On: on}, &p)
	return p, err
}

// PinData says whether the owner has a PIN.
type PinData struct {
	Set bool `json:"set"`
	// Unlocked: the window that asks need not send it now.
	Unlocked bool `json:"unlocked"`
}

// NewPin is a PIN to be set; the present one goes along as the header Cove-Pin.
type NewPin struct {
	PIN string `json:"pin"`
}

// PINData tells whether there is a PIN.
func (c *Client) PINData(ctx context.Context) (p PinData, err error) {
	err = c.Do(ctx, http.MethodGet, "/pin", nil, &p)
	return p, err
}

// SetPIN sets or changes it.
func (c *Client) SetPIN(ctx context.Context, pin string) error {
	return c.Do(ctx, http.MethodPut, "/pin", NewPin{PIN: pin}, nil)
}

// ClearPIN removes it.
func (c *Client) ClearPIN(ctx context.Context) error {
	return c.Do(ctx, http.MethodDelete, "/pin", nil, nil)
}
