// Package call is one request to the API while it is answered: what it says, who sent it, and what its sender may do.
package call

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"cove/internal/account"
	"cove/internal/fault"
	"cove/internal/httpapi/signin"
	"cove/internal/profile"
)

// Call is one request while it is being answered.
type Call struct {
	*http.Request
	W    http.ResponseWriter
	Raw  io.ReadCloser // the body without the limit of ordinary calls
	ID   profile.ID    // of {id} in the path, which may also be that of a proxy, a folder or a status
	Name string        // of {name} in the path
	// Prefix is what the path began with: "/v1.0" for Cove's own shapes; "/api/v2" or "" for those of Dolphin's cloud.
	Prefix string

	credentials *Credentials
	confirmed   *error // the answer to the PIN, once it was checked
}

// Credentials recognises the senders of calls. All calls of a server share it.
type Credentials struct {
	Accounts account.Authority
	PIN      PIN
	// RequireToken reports whether start and stop need a credential, too.
	RequireToken func(context.Context) (bool, error)
	Pages        *signin.Pages
	Unlocks      *signin.Unlocks
	Port         int // of the API
}

// PIN checks the owner's PIN, which the owner knows and programs do not.
type PIN interface {
	// Check accepts the right PIN, and any PIN while none is set.
	Check(ctx context.Context, pin string) error
	IsSet(ctx context.Context) (bool, error)
}

// New makes the call of a request.
func (c *Credentials) New(w http.ResponseWriter, r *http.Request) *Call {
	return &Call{Request: r, W: w, Raw: r.Body, credentials: c}
}

// Handler answers one call with a value to send as JSON, or with an error. Handlers check the input first, then the
// caller, then what the call is about; the error table of the API's description has the same order.
type Handler func(*Call) (any, error)

// Page is a handler's answer that is not JSON.
type Page struct {
	Kind string // the media type
	Body []byte
}

// Streamed is the answer of a handler that has written the answer itself.
type Streamed struct{}

// AllowTime lifts the server's time limits for a call that waits for a browser. It lifts the limit for reading too:
// when that passes, the server assumes that the caller is gone.
func (c *Call) AllowTime() {
	limits := http.NewResponseController(c.W)
	_ = limits.SetReadDeadline(time.Time{})
	_ = limits.SetWriteDeadline(time.Now().Add(5 * time.Minute))
}

// LiftLimits lifts the server's time limits for good. The answer lasts as long as the caller stays.
func (c *Call) LiftLimits() {
	limits := http.NewResponseController(c.W)
	_ = limits.SetReadDeadline(time.Time{})
	_ = limits.SetWriteDeadline(time.Time{})
}

// First runs checks in order and returns the first failure.
func First(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// ErrTooLarge is the error for a request whose body is larger than limit bytes.
func ErrTooLarge(limit int64) error {
	return fault.New(fault.CodeTooLarge, "The request is larger than "+strconv.FormatInt(limit>>20, 10)+" MiB.",
		"Send less at a time.")
}
