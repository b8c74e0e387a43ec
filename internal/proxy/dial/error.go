package dial

import (
	"context"
	"errors"
	"net"
	"strconv"

	"cove/internal/proxy"
)

// Reason says why a connection through a proxy failed.
type Reason string

// The reasons.
const (
	NameNotFound Reason = "name_not_found" // the proxy's own name
	Refused      Reason = "refused"        // nobody listens on the proxy's port
	TimedOut     Reason = "timed_out"
	Unreachable  Reason = "unreachable"
	NoTLS        Reason = "no_tls"        // the handshake with an https proxy failed
	NotAProxy    Reason = "not_a_proxy"   // the answer is none of this type of proxy
	LoginRefused Reason = "login_refused" // the proxy does not accept the login, or wants one
	SiteRefused  Reason = "site_refused"  // the proxy works and did not connect to the site
)

// Error is the failure of a connection through a proxy. Its text never has the login or the password.
type Error struct {
	Reason Reason
	Err    error
}

// Error implements error.
func (e *Error) Error() string { return string(e.Reason) + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Sentence says to a person what failed.
func (e *Error) Sentence(p proxy.Proxy) string {
	switch e.Reason {
	case NameNotFound:
		return "The proxy's name " + p.Host + " was not found."
	case Refused:
		return "Nothing listens at " + p.HostPort() + "."
	case TimedOut:
		return "The proxy did not answer in time."
	case NoTLS:
		return "No secure connection to the proxy was possible: check that it is an https proxy and that its " +
			"certificate is valid."
	case NotAProxy:
		return "What answers at " + p.HostPort() + " is not a proxy of type " + p.Type + "."
	case LoginRefused:
		if p.Login == "" && p.Password == "" {
			return "The proxy asks for a login."
		}
		return "The proxy refused the login: check the login and the password."
	case SiteRefused:
		return "The proxy answered, but did not connect to the site."
	case Unreachable:
	}
	return "The proxy cannot be reached."
}

// statusError is the status of an HTTP proxy's answer, without its words.
type statusError int

func (s statusError) Error() string { return "the proxy answered " + strconv.Itoa(int(s)) }

// unreachable words the failure of the connection to the proxy itself.
func unreachable(ctx context.Context, err error) error {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return &Error{NameNotFound, err}
	case IsRefused(err):
		return &Error{Refused, err}
	case isTimeout(ctx, err):
		return &Error{TimedOut, err}
	}
	return &Error{Unreachable, err}
}

// failed words the failure of a handshake. A handshake that ends with ctx has timed out, whatever it waited for.
func failed(ctx context.Context, err error) error {
	var known *Error
	switch {
	case isTimeout(ctx, err):
		return &Error{TimedOut, err}
	case errors.As(err, &known):
		return known
	}
	return &Error{Unreachable, err}
}

func isTimeout(ctx context.Context, err error) bool {
	var timeout net.Error
	return ctx.Err() != nil || errors.As(err, &timeout) && timeout.Timeout()
}
