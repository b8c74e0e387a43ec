package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
)

// Client calls the local API. Set its fields before the first call. It remembers the PIN, so one Client is for one
// goroutine; without PIN it is safe for several.
//
// Calls about one noun are grouped: client.Proxies().List(ctx, nil), client.Cookies(id).Export(ctx, "netscape").
// Calls that open and close profiles, and those about the whole app, are methods of Client.
type Client struct {
	// Base is the address of the app, such as http://127.0.0.1:3001.
	Base string
	// Token is the credential. Start, stop and status work without one.
	Token string
	HTTP  *http.Client
	// PIN asks the owner for the PIN when a call needs it. It is called once; nil means that nobody can be asked.
	PIN func(ctx context.Context) (string, error)
	pin string
}

// Failure is an answer with a status of 400 or more.
type Failure struct {
	Status int
	Body   Error
}

// Error returns the sentence of the answer.
func (f *Failure) Error() string { return f.Body.ErrorObject.Text }

// Unwrap returns the fault that the app answered with, so that errors.As and fault.From find it.
func (f *Failure) Unwrap() error {
	o := f.Body.ErrorObject
	return &fault.Error{Kind: o.Type, Code: o.Code, Text: o.Text, Hint: o.Hint, Field: o.Field}
}

// ErrNoApp means that nothing answers at the address.
var ErrNoApp = errors.New("the app does not answer")

// Do sends one request and decodes the answer into out. in and out may be nil.
func (c *Client) Do(ctx context.Context, method, path string, in, out any) error {
	err := c.do(ctx, method, path, in, out)
	var failure *Failure
	if c.PIN == nil || c.pin != "" || !errors.As(err, &failure) ||
		failure.Body.ErrorObject.Code != fault.CodePINRequired {
		return err
	}
	if c.pin, err = c.PIN(ctx); err != nil {
		return err
	}
	return c.do(ctx, method, path, in, out)
}

func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	res, err := c.send(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoApp, err)
	}
	if res.StatusCode >= 400 {
		return failure(res, raw)
	}
	switch out := out.(type) {
	case nil:
		return nil
	case *[]byte: // an answer that is a file
		*out = raw
		return nil
	case fileAnswer:
		out.read(res.Header, raw)
		return nil
	}
	return json.Unmarshal(raw, out)
}

// fileAnswer is an answer that is a file, with facts about it in the header.
type fileAnswer interface {
	read(header http.Header, content []byte)
}

// rawBody is a body that is not JSON.
type rawBody struct {
	kind  string
	bytes []byte
}

func failure(res *http.Response, raw []byte) error {
	f := &Failure{Status: res.StatusCode}
	if json.Unmarshal(raw, &f.Body) != nil || f.Body.ErrorObject.Code == "" {
		f.Body.ErrorObject = ErrorObject{Type: fault.Internal, Code: fault.CodeInternal,
			Text: "What answers there is not Cove: " + res.Status}
	}
	return f
}

func (c *Client) send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	var body io.Reader
	kind := "application/json"
	if raw, ok := in.(rawBody); ok {
		body, kind = bytes.NewReader(raw.bytes), raw.kind
	} else if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.Base, "/")+"/v1.0"+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		req.Header.Set("Content-Type", kind)
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if c.pin != "" {
		req.Header.Set("Cove-Pin", c.pin)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoApp, err)
	}
	return res, nil
}

func profilePath(id ProfileID, rest string) string {
	return "/browser_profiles/" + strconv.Itoa(int(id)) + rest
}

// Status reads the state of the app.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	err = c.Do(ctx, http.MethodGet, "/status", nil, &s)
	return s, err
}

// WindowLink creates a link that signs the window's page in, once. With needsPIN the page asks for the owner's PIN,
// instead of this call.
func (c *Client) WindowLink(ctx context.Context, needsPIN bool) (w WindowCode, err error) {
	err = c.Do(ctx, http.MethodPost, "/ui/code", NewWindowCode{NeedsPIN: needsPIN}, &w)
	return w, err
}

// Start opens a profile.
func (c *Client) Start(ctx context.Context, id ProfileID, o StartOptions) (s Started, err error) {
	err = c.Do(ctx, http.MethodPost, profilePath(id, "/start"), o, &s)
	return s, err
}

// Stop closes a profile.
func (c *Client) Stop(ctx context.Context, id ProfileID) error {
	return c.Do(ctx, http.MethodGet, profilePath(id, "/stop"), nil, nil)
}

// Running lists the open profiles.
func (c *Client) Running(ctx context.Context) (r map[string]Running, err error) {
	err = c.Do(ctx, http.MethodGet, "/browser_profiles/running", nil, &r)
	return r, err
}

// Agents lists who works in the open profiles, and whose their tabs are.
func (c *Client) Agents(ctx context.Context) (a Agents, err error) {
	err = c.Do(ctx, http.MethodGet, "/agents", nil, &a)
	return a, err
}

// values returns the query as the API reads it.
func (q JournalQuery) values() url.Values {
	values := url.Values{}
	for name, text := range map[string]string{
		"agent": q.Agent, "outcome": q.Outcome, "session": q.Session, "kind": q.Kind, "q": q.Text,
	} {
		if text != "" {
			values.Set(name, text)
		}
	}
	for name, n := range map[string]int64{"after": q.After, "before": q.Before, "limit": int64(q.Limit)} {
		if n != 0 {
			values.Set(name, strconv.FormatInt(n, 10))
		}
	}
	for name, at := range map[string]time.Time{"since": q.Since, "until": q.Until} {
		if !at.IsZero() {
			values.Set(name, at.Format(time.RFC3339Nano))
		}
	}
	switch {
	case q.Steps && q.Newest:
		values.Set("order", "desc")
	case q.Steps:
		values.Set("order", "asc")
	case q.Newest:
		values.Set("newest", "1")
	}
	return values
}

// stream makes a request whose answer comes bit by bit. Whoever reads it closes it.
func (c *Client) stream(ctx context.Context, method, path string, in any) (io.ReadCloser, error) {
	res, err := c.send(ctx, method, path, in)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 400 {
		defer func() { _ = res.Body.Close() }()
		raw, _ := io.ReadAll(res.Body)
		return nil, failure(res, raw)
	}
	return res.Body, nil
}

// Events calls each with every event until ctx ends or the app does.
func (c *Client) Events(ctx context.Context, each func(Event)) error {
	stream, err := c.stream(ctx, http.MethodGet, "/events", nil)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	lines := bufio.NewScanner(stream)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e Event
		if json.Unmarshal([]byte(data), &e) == nil {
			each(e)
		}
	}
	return lines.Err()
}
