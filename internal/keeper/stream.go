package keeper

import (
	"bufio"
	"encoding/json"
	"net"
	"sync"
)

// stream is a bridge's connection. Each line of MCP is written whole, so that a notice of ours fits between two.
type stream struct {
	net.Conn
	r    *bufio.Reader
	tidy *Tidy

	mu        sync.Mutex
	last      int
	documents int
}

func (s *stream) Read(p []byte) (int, error) { return s.r.Read(p) }

func (s *stream) Write(p []byte) (int, error) {
	s.tidy.Passed(len(p))
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Conn.Write(p)
}

// notify tells the bridge something that is not for its client.
func (s *stream) notify(what string, params map[string]any) {
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": NoticePrefix + what, "params": params})
	if err == nil {
		_, _ = s.Write(append(raw, '\n'))
	}
}

// numbers tells the bridge the highest page number and how many documents there were, for the browser that may come after this one.
func (s *stream) numbers(page, documents int) {
	s.mu.Lock()
	news := page > s.last || documents > s.documents
	s.last, s.documents = max(page, s.last), max(documents, s.documents)
	s.mu.Unlock()
	if news {
		s.notify("pages", map[string]any{"last": page, "documents": documents})
	}
}
