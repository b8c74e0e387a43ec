package keeper

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"cove/internal/mcpserver"
	"cove/internal/paths"
	"cove/internal/profile"
)

// shellLimit is how long an agent in a shell is remembered after its last command.
const shellLimit = 12 * time.Hour

// shells is what agents in shells have seen of a profile, in a file that outlives the keeper. A command has no memory
// of its own, and a ref that it read before a crash must not mean another element after it.
type shells struct {
	dir paths.ProfileDir
	id  profile.ID
	log *slog.Logger

	mu    sync.Mutex
	known map[string]seenByShell // nil before the file was read
}

// seenByShell is what one caller has seen.
type seenByShell struct {
	Pages     int       `json:"pages"`
	Documents int       `json:"documents"`
	At        time.Time `json:"at"`
}

// load reads the file once. The caller holds mu.
func (s *shells) load() {
	if s.known != nil {
		return
	}
	s.known = map[string]seenByShell{}
	raw, err := os.ReadFile(s.dir.Shells())
	if err == nil && json.Unmarshal(raw, &s.known) != nil {
		s.known = map[string]seenByShell{} // half of it was written when the computer stopped
	}
}

// Recall returns what a caller has seen in browsers before this one.
func (s *shells) Recall(caller string) mcpserver.Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	seen, ok := s.known[caller]
	if !ok || time.Since(seen.At) > shellLimit {
		return mcpserver.Hello{}
	}
	return mcpserver.Hello{LastPage: seen.Pages, Documents: seen.Documents,
		Notice: fmt.Sprintf("Note: profile %d was opened again since your last command: pages and refs are new, "+
			"unsaved input is lost.", s.id)}
}

// Remember keeps what a caller has seen, and forgets callers that have been silent for long.
func (s *shells) Remember(caller string, pages, documents int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	now := time.Now().UTC()
	if seen := s.known[caller]; seen.Pages == pages && seen.Documents == documents && now.Sub(seen.At) < time.Minute {
		return
	}
	for name, seen := range s.known {
		if now.Sub(seen.At) > shellLimit {
			delete(s.known, name)
		}
	}
	s.known[caller] = seenByShell{pages, documents, now}
	raw, err := json.Marshal(s.known)
	if err == nil {
		err = paths.WriteVolatile(s.dir.Shells(), raw)
	}
	if err != nil {
		s.log.Warn("not remembered what an agent has seen", "err", err)
	}
}
