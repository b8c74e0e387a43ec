package keeper

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"cove/internal/paths"
	"cove/internal/session"
)

// Greeting is what a bridge says of its client.
type Greeting struct {
	Dir, Tools string
	LastPage   int
	Documents  int
	Note       string
}

// Line is a bridge's connection to a keeper: one MCP message a line.
type Line struct {
	RunID string // of the browser that it leads to
	conn  net.Conn
	r     *bufio.Reader
	mu    sync.Mutex
}

var errNotOpen = errors.New("the profile is not open for agents")

// FindAgentLine finds the living keeper of a profile that agents can use.
func FindAgentLine(dir paths.ProfileDir) (Record, error) {
	r, err := ReadRecord(dir)
	if err != nil {
		return r, errors.Join(errNotOpen, err)
	}
	if r.Mode != session.Automation || r.Socket == "" || !r.Alive() {
		return r, errNotOpen
	}
	return r, nil
}

// DialAgent connects to the keeper of an open profile.
func DialAgent(ctx context.Context, dir paths.ProfileDir, g Greeting) (*Line, error) {
	record, err := FindAgentLine(dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", record.Socket)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://keeper/v1/mcp", nil)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + record.Token, "Connection": "Upgrade", "Upgrade": Upgrade,
		headerDir: g.Dir, headerTools: g.Tools, headerPage: strconv.Itoa(g.LastPage), headerDocs: strconv.Itoa(g.Documents), headerNote: oneLine(g.Note)} {
		req.Header.Set(name, value)
	}
	if err := req.Write(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	r := bufio.NewReaderSize(conn, 64<<10)
	res, err := http.ReadResponse(r, req) //nolint:bodyclose // the connection is the answer
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	if res.StatusCode != http.StatusSwitchingProtocols {
		defer func() { _ = conn.Close() }()
		return nil, refusal(res)
	}
	_ = conn.SetDeadline(time.Time{})
	return &Line{RunID: record.RunID, conn: conn, r: r}, nil
}

// oneLine is text that fits into a header.
func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

// Read returns the next message.
func (l *Line) Read() ([]byte, error) {
	raw, err := l.r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimSpace(raw), nil
}

// Write sends one message.
func (l *Line) Write(raw []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.conn.Write(append(bytes.Clone(raw), '\n'))
	return err
}

// Close hangs up.
func (l *Line) Close() error {
	err := l.conn.Close()
	if errors.Is(err, os.ErrClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
