package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/mcpserver/admission"
	"cove/internal/mcpserver/payload"
	"cove/internal/policy"
)

func (s *Server) makeClient(h Hello) *client {
	return newClient(s.shared.redact, admission.New(s.config.Enforcer), h)
}

// maxMessage is the longest message that a client may send.
const maxMessage = 64 << 20

// Serve speaks to one client over a stream of lines until it ends. onNumbers hears the highest page number and the
// number of documents, for the browser after this one.
func (s *Server) Serve(
	ctx context.Context, stream io.ReadWriteCloser, h Hello, onNumbers func(pages, documents int),
) error {
	c := s.makeClient(h)
	c.onNumbers, c.payloads = onNumbers, payload.NewStream(stream)
	defer c.admissions.CloseAll()
	defer s.forget(c)

	transport := &mcp.IOTransport{Reader: stream, Writer: lastWords{c.payloads, c}, MaxLineLength: maxMessage}
	session, err := s.protocolServer(c, h.Tools).Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	c.setSession(session)
	s.activity.Connect(c)
	defer s.activity.Disconnect(c)
	stop := context.AfterFunc(ctx, func() { _ = session.Close() })
	defer stop()

	err = session.Wait()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// closeLimit is how long the session of a disconnected agent stays open for the answer that says so.
const closeLimit = time.Second

// closeAfterAnswer ends a session after the answer that tells the agent why. Closing it at once would race with that
// answer.
func (c *client) closeAfterAnswer(session *mcp.ServerSession) {
	end := func() { _ = session.Close() }
	if c.payloads != nil {
		c.told.Store(&end)
	}
	time.AfterFunc(closeLimit, end)
}

// lastWords is what a client over a stream reads. It ends the session of an agent that has been told that the person
// disconnected it.
type lastWords struct {
	io.WriteCloser
	client *client
}

// Write writes one message.
func (w lastWords) Write(p []byte) (int, error) {
	n, err := w.WriteCloser.Write(p)
	if end := w.client.told.Load(); end != nil && bytes.Contains(p, []byte(policy.DisconnectedError().Text)) {
		w.client.told.Store(nil)
		go (*end)() // it waits for this write
	}
	return n, err
}
