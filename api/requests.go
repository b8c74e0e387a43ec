package api

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Request is a request of an agent to a person: to approve a step, or to help. It outlives the call that asked.
type Request struct {
	// ID is unique across profiles, such as 3-4711.
	ID      string    `json:"id"`
	Profile ProfileID `json:"profile"`
	// Kind is approve, do, code, choose or text.
	Kind string `json:"kind"`
	// State is asked, seen, working, answered, expired, withdrawn or cut.
	State string      `json:"state"`
	Agent AccessAgent `json:"agent"`
	// Class is the right that a step needs.
	Class string `json:"class,omitempty"`
	// What says what will happen, or what the agent asks for.
	What string `json:"what"`
	// Page is the URL of the page that the request is about, and Tab its tab.
	Page string `json:"page"`
	Tab  string `json:"tab,omitempty"`
	// Box is where the element that it is about was in the tab's window, in fractions, when the agent asked.
	Box     *LiveBox `json:"box,omitempty"`
	Options []string `json:"options,omitempty"`
	// Because says which rule of the policy asks.
	Because string `json:"because,omitempty"`
	// Rule is the site for which an approval with the scope site writes a rule, and RuleWords is that rule in words.
	Rule        string    `json:"rule,omitempty"`
	RuleWords   string    `json:"ruleWords,omitempty"`
	RequestedAt time.Time `json:"askedAt"`
	// ExpiresAt is absent while the person works on the request, and after its end.
	ExpiresAt *time.Time     `json:"expiresAt,omitempty"`
	EndedAt   *time.Time     `json:"endedAt,omitempty"`
	Answer    *RequestAnswer `json:"answer,omitempty"`
	// Picture is an image of what the request is about, a PNG or JPEG in base64. Events and ended requests have none.
	Picture []byte `json:"picture,omitempty"`
}

// RequestAnswer is what a person has answered.
type RequestAnswer struct {
	// Allow is the answer to an approval.
	Allow *bool `json:"allow,omitempty"`
	// Scope is once, session or site.
	Scope   string `json:"scope,omitempty"`
	Done    bool   `json:"done,omitempty"`
	Decline bool   `json:"decline,omitempty"`
	Note    string `json:"note,omitempty"`
	Choose  string `json:"choose,omitempty"`
	// Text is in the answer to whoever asked, never in lists and events.
	Text string `json:"text,omitempty"`
	// Typed reports that Cove has typed the code.
	Typed bool `json:"typed,omitempty"`
	// By is person, policy, or the client in which the person answered.
	By string `json:"by"`
}

// Requests are the requests of every profile: those that wait, the oldest first, and those that have ended, the newest
// first.
type Requests struct {
	Data    []Request `json:"data"`
	History []Request `json:"history"`
}

// RequestData wraps one Request.
type RequestData struct {
	Data Request `json:"data"`
}

// Answer is what a person sends as the answer to a request: one of allow, done, decline, choose, text and code.
type Answer struct {
	Allow *bool `json:"allow,omitempty"`
	// Scope is once (the usual), session or site.
	Scope   string `json:"scope,omitempty"`
	Done    bool   `json:"done,omitempty"`
	Decline bool   `json:"decline,omitempty"`
	Note    string `json:"note,omitempty"`
	Choose  string `json:"choose,omitempty"`
	Text    string `json:"text,omitempty"`
	// Code is typed into the page. It is never stored.
	Code string `json:"code,omitempty"`
}

// RequestSeen says that a person has a request before them. Working stops its clock until it is seen again or answered.
type RequestSeen struct {
	Working bool `json:"working,omitempty"`
}

// NewRequest is what a program asks a person for.
type NewRequest struct {
	// Kind is do (the usual), choose or text.
	Kind    string   `json:"kind,omitempty"`
	Message string   `json:"message"`
	Options []string `json:"options,omitempty"`
	// Tab is the target id of the tab that it is about; "" for the only one.
	Tab string `json:"tab,omitempty"`
	// Name is what the program calls itself.
	Name string `json:"name,omitempty"`
}

// RequestCalls are the calls about requests to a person.
type RequestCalls struct{ client *Client }

// Requests returns the calls about requests of agents and programs to a person.
func (c *Client) Requests() RequestCalls { return RequestCalls{c} }

// List lists the requests of agents.
func (c RequestCalls) List(ctx context.Context) (a Requests, err error) {
	err = c.client.Do(ctx, http.MethodGet, "/asks", nil, &a)
	return a, err
}

// Get reads one request.
func (c RequestCalls) Get(ctx context.Context, id string) (a RequestData, err error) {
	err = c.client.Do(ctx, http.MethodGet, "/asks/"+id, nil, &a)
	return a, err
}

// Answer answers a request.
func (c RequestCalls) Answer(ctx context.Context, id string, in Answer) error {
	return c.client.Do(ctx, http.MethodPost, "/asks/"+id, in, nil)
}

// MarkSeen says that the person has a request before them, or works on it.
func (c RequestCalls) MarkSeen(ctx context.Context, id string, working bool) error {
	return c.client.Do(ctx, http.MethodPost, "/asks/"+id+"/seen", RequestSeen{Working: working}, nil)
}

// Create asks a person for something on behalf of a program.
func (c RequestCalls) Create(ctx context.Context, id ProfileID, in NewRequest) (a RequestData, err error) {
	err = c.client.Do(ctx, http.MethodPost, profilePath(id, "/asks"), in, &a)
	return a, err
}

// Await reads a request when it has ended, or as it is after some seconds.
func (c RequestCalls) Await(
	ctx context.Context, id ProfileID, request string, seconds int,
) (a RequestData, err error) {
	path := profilePath(id, "/asks/"+request) + "?wait=" + strconv.Itoa(seconds)
	err = c.client.Do(ctx, http.MethodGet, path, nil, &a)
	return a, err
}

// Withdraw ends a request that the program needs no longer.
func (c RequestCalls) Withdraw(ctx context.Context, id ProfileID, request string) (a RequestData, err error) {
	err = c.client.Do(ctx, http.MethodDelete, profilePath(id, "/asks/"+request), nil, &a)
	return a, err
}
