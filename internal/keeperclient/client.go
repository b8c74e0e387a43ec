// Package keeperclient is everything that talks to a keeper: how to find one, its socket and token, and each call
// that a keeper answers. The types of the wire live here, and package keeper
// imports them: so the bridge and the command line need nothing of the process that owns a browser.
package keeperclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/session"
)

// Client calls one keeper over its socket. It is bound to a record: after the keeper died, make another. Its methods
// may be called from any goroutine.
type Client struct {
	record Record
	http   *http.Client
}

// New returns a client of the keeper that wrote the record.
func New(record Record) *Client {
	c := &Client{record: record}
	c.http = &http.Client{Transport: c.transport()}
	return c
}

func (c *Client) transport() *http.Transport {
	return &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
	}
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "unix", c.record.Socket)
}

// ErrNotOpen says that no agents can be in the profile: it is closed, or open in ordinary mode.
var ErrNotOpen = errors.New("the profile is not open for agents")

// Find returns a client of the keeper of a profile that is open for agents, and ErrNotOpen for any other profile.
func Find(dir paths.ProfileDir) (*Client, error) {
	c, err := Recorded(dir)
	if err == nil && !c.record.Alive() {
		return nil, ErrNotOpen
	}
	return c, err
}

// Recorded is Find without the check that the keeper is alive, which costs a reading of the system's process table.
// It is for a caller that dials at once: a dead keeper accepts no connection. A socket outside the profile's folder is
// checked nevertheless: after a restart of the computer somebody else may listen there.
func Recorded(dir paths.ProfileDir) (*Client, error) {
	record, err := ReadRecord(dir)
	if err != nil {
		return nil, errors.Join(ErrNotOpen, err)
	}
	if record.Mode != session.Automation || record.Socket == "" {
		return nil, ErrNotOpen
	}
	if filepath.Dir(record.Socket) != filepath.Clean(string(dir)) && !record.Alive() {
		return nil, ErrNotOpen
	}
	return New(record), nil
}

// Record returns the record of the keeper.
func (c *Client) Record() Record { return c.record }

// RunID names the browser that the keeper owns: each start has another.
func (c *Client) RunID() string { return c.record.RunID }

// send makes one request. It returns an answer of status 2xx; any other one is an error.
func (c *Client) send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://keeper"+path, body)
	if err != nil {
		return nil, err
	}
	c.authorize(req.Header)

	res, err := c.http.Do(req)
	if err != nil {
		if !c.record.Alive() {
			return nil, errors.Join(ErrNotOpen, err)
		}
		return nil, err
	}
	if res.StatusCode < 300 {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }()
	return nil, refusal(res)
}

func (c *Client) authorize(h http.Header) { h.Set("Authorization", "Bearer "+c.record.Token) }

// callLimit bounds a call that a keeper answers at once.
const callLimit = 5 * time.Second

// call makes one request and reads its answer. in and out may be nil.
func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	return c.callWithin(ctx, callLimit, method, path, in, out)
}

// callWithin is call for an answer that may take a while.
func (c *Client) callWithin(ctx context.Context, limit time.Duration, method, path string, in, out any) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	res, err := c.send(limited, method, path, in)
	if err == nil {
		defer func() { _ = res.Body.Close() }()
		if out == nil {
			return nil
		}
		err = json.NewDecoder(res.Body).Decode(out)
	}
	if err != nil && limited.Err() != nil && ctx.Err() == nil { // our limit ended, and not the caller's
		return errNoAnswer
	}
	return err
}

// stream calls each with every line of JSON that the keeper sends, until the stream ends or ctx does. It returns io.EOF
// when the keeper has ended the stream.
func stream[T any](ctx context.Context, c *Client, path string, each func(T)) error {
	res, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()

	in := json.NewDecoder(res.Body)
	for {
		var next T
		if err := in.Decode(&next); err != nil {
			return err
		}
		each(next)
	}
}

var errNoAnswer = fault.New(fault.CodeNoKeeper, "The profile is open, and its keeper does not answer.",
	"Close the profile and open it again.")

// ErrOtherVersion is the answer of a keeper of another version of Cove, which does not know the call.
var ErrOtherVersion = fault.New(fault.CodeOtherVersion,
	"The profile was opened by another version of Cove, which cannot do this.", "Close the profile and open it again.")

// refusal turns a non-2xx answer of the keeper into a fault.
func refusal(res *http.Response) error {
	if res.StatusCode == http.StatusNotFound { // the keeper has no such path
		return ErrOtherVersion
	}
	var f fault.Error
	if res.StatusCode == http.StatusConflict && json.NewDecoder(res.Body).Decode(&f) == nil && f.Code != "" {
		return &f
	}
	return fmt.Errorf("the keeper answered %s", res.Status)
}

// Stop asks the keeper to close its browser. It does not wait for the end.
func (c *Client) Stop(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, "/v1/stop", nil, nil)
}

// StopAndWait asks the keeper to close its browser and returns when the keeper is gone. It asks again until the keeper
// answers: one call has a short limit, and a busy keeper that was not heard would leave the profile open with nobody to
// close it.
func (c *Client) StopAndWait(ctx context.Context) error {
	for c.Stop(ctx) != nil && c.record.Alive() {
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return c.record.Wait(ctx)
}

// Status returns the state of the session. The keeper checks first that its browser is still there.
func (c *Client) Status(ctx context.Context) (now Status, err error) {
	err = c.call(ctx, http.MethodGet, "/v1/watch?sure", nil, &now)
	return now, err
}

// Watch calls each with the status now and at every change, until the session is over or ctx ends.
func (c *Client) Watch(ctx context.Context, each func(Status)) error {
	return stream(ctx, c, "/v1/watch", each)
}
