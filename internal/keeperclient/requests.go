package keeperclient

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"cove/internal/policy"
)

// RequestAnswer is a person's answer to a request.
type RequestAnswer struct {
	ID string `json:"id"`
	policy.Reply
	// Code is what the keeper types. A Reply does not carry it, so that nothing stores it.
	Code string `json:"code,omitempty"`
}

// RequestSeen says that a person has a request before them, or is at it.
type RequestSeen struct {
	ID      string `json:"id"`
	Working bool   `json:"working,omitempty"`
}

// NewRequest is what a program asks a person for.
type NewRequest struct {
	Name    string             `json:"name"`
	Kind    policy.RequestKind `json:"kind"`
	Message string             `json:"message"`
	Options []string           `json:"options,omitempty"`
	Tab     string             `json:"tab,omitempty"`
}

// hasRequests reports whether the keeper knows requests that outlive their call.
func (c *Client) hasRequests() bool { return c.record.Protocol >= 3 }

// answerLimit bounds an answer: a code is typed into a page first.
const answerLimit = 30 * time.Second

// Answer answers a request. A keeper of an earlier version only knows yes and no.
func (c *Client) Answer(ctx context.Context, a RequestAnswer) error {
	if !c.hasRequests() {
		return c.Decide(ctx, Decision{ID: a.ID, Yes: a.Allow, Always: a.Scope == policy.Session})
	}
	return c.callWithin(ctx, answerLimit, http.MethodPost, "/v1/asks/answer", a, nil)
}

// MarkSeen notes that a person has a request before them. A keeper of an earlier version has nothing to note.
func (c *Client) MarkSeen(ctx context.Context, s RequestSeen) error {
	if !c.hasRequests() {
		return nil
	}
	return c.call(ctx, http.MethodPost, "/v1/asks/seen", s, nil)
}

// RequestKey is the key of a request, which its page has.
type RequestKey struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

// CheckRequestKey refuses a key that does not open the request.
func (c *Client) CheckRequestKey(ctx context.Context, id, key string) error {
	return c.call(ctx, http.MethodPost, "/v1/asks/key", RequestKey{ID: id, Key: key}, nil)
}

// CreateRequest asks the person for something on behalf of a program.
func (c *Client) CreateRequest(ctx context.Context, in NewRequest) (r policy.Request, err error) {
	err = c.call(ctx, http.MethodPost, "/v1/asks", in, &r)
	return r, err
}

// AwaitRequest returns a request when it has ended, or as it is when limit has passed.
func (c *Client) AwaitRequest(ctx context.Context, id string, limit time.Duration) (r policy.Request, err error) {
	q := url.Values{"id": {id}, "wait": {strconv.Itoa(int(limit.Milliseconds()))}}
	err = c.callWithin(ctx, limit+callLimit, http.MethodGet, "/v1/asks?"+q.Encode(), nil, &r)
	return r, err
}

// WithdrawRequest ends a request that the program needs no longer.
func (c *Client) WithdrawRequest(ctx context.Context, id string) (r policy.Request, err error) {
	err = c.call(ctx, http.MethodPost, "/v1/asks/withdraw", RequestSeen{ID: id}, &r)
	return r, err
}
