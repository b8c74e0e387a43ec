// Package signin remembers who is signed in to the window: the links that were given out, the pages that signed in with
// one, and the windows that have sent the PIN.
package signin

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"cove/internal/account"
	"cove/internal/random"
)

// Memory stores what has to outlive the app.
type Memory interface {
	Recall() []byte // nil when there is nothing
	Remember(raw []byte)
}

const (
	// CodeLife is how long a sign-in link works. A browser may need a while to start.
	CodeLife = 5 * time.Minute
	// Life is how long a page stays signed in.
	Life = 30 * 24 * time.Hour
	// maxSignIns limits both lists. The oldest entry makes room for a new one.
	maxSignIns = 100
	// Header carries the half of a page's credential that its origin stores.
	Header = "Cove-Window"
)

// Pages holds the links that were given out and the pages that signed in with one, as hashes. Pages outlive the app,
// so that an open window continues after a restart. A page needs both a cookie and a key: browsers send a cookie of
// 127.0.0.1 to the servers on every port of that address, but the key stays with the page's own origin.
type Pages struct {
	memory Memory

	mu    sync.Mutex
	codes map[string]signIn
	pages map[string]signIn
}

type signIn struct {
	Who      account.Account `json:"who"`
	Until    time.Time       `json:"until"`
	Key      string          `json:"key"` // hash of the page's key
	NeedsPIN bool            `json:"-"`   // the code alone is not enough
}

// New returns the pages that memory holds. A nil memory holds none and forgets the new ones.
func New(memory Memory) *Pages {
	p := &Pages{memory: memory, codes: map[string]signIn{}, pages: map[string]signIn{}}
	if memory != nil {
		_ = json.Unmarshal(memory.Recall(), &p.pages) // pages that cannot be read sign in again
	}
	if p.pages == nil {
		p.pages = map[string]signIn{}
	}
	return p
}

// remember stores the pages. The caller holds the lock, so that two writers cannot overtake each other.
func (p *Pages) remember() {
	if raw, err := json.Marshal(p.pages); err == nil && p.memory != nil {
		p.memory.Remember(raw)
	}
}

// newSecret makes a code, a cookie or a key.
func newSecret() string { return random.Hex(32) }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// insert adds an entry, and drops entries that are too old or too many.
func insert(all map[string]signIn, hash string, s signIn) {
	now := time.Now()
	oldest := ""
	for h, other := range all {
		if now.After(other.Until) {
			delete(all, h)
		} else if oldest == "" || other.Until.Before(all[oldest].Until) {
			oldest = h
		}
	}
	if len(all) >= maxSignIns {
		delete(all, oldest)
	}
	all[hash] = s
}

// Code makes the code of a link for an account. With needsPIN, using it requires the PIN, too.
func (p *Pages) Code(who account.Account, needsPIN bool) (code string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	code, until = newSecret(), time.Now().Add(CodeLife)
	insert(p.codes, hashOf(code), signIn{Who: who, Until: until, NeedsPIN: needsPIN})
	return code, until
}

// NeedsPIN reports whether a code requires the PIN. Exchange refuses a code that is not known.
func (p *Pages) NeedsPIN(code string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.codes[hashOf(code)].NeedsPIN
}

// Exchange trades a code for a cookie and a key, once.
func (p *Pages) Exchange(code string) (cookie, key string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	hash := hashOf(code)
	c, ok := p.codes[hash]
	delete(p.codes, hash)
	if !ok || time.Now().After(c.Until) {
		return "", "", false
	}
	cookie, key = newSecret(), newSecret()
	insert(p.pages, hashOf(cookie), signIn{Who: c.Who, Until: time.Now().Add(Life), Key: hashOf(key)})
	p.remember()
	return cookie, key, true
}

// Who returns the account whose page sent a cookie and a key.
func (p *Pages) Who(cookie, key string) (account.Account, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.pages[hashOf(cookie)]
	if !ok || time.Now().After(s.Until) || subtle.ConstantTimeCompare([]byte(s.Key), []byte(hashOf(key))) != 1 {
		return account.Account{}, false
	}
	return s.Who, true
}

// Forget signs out the page that sent a cookie.
func (p *Pages) Forget(cookie string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pages, hashOf(cookie))
	p.remember()
}

// SessionOf names the session of a page by its cookie. The name tells nothing of the cookie.
func SessionOf(cookie string) string { return hashOf(cookie) }

// CookieName contains the port, because cookies do not: two Coves on one computer would sign each other's pages out.
func CookieName(port int) string { return "cove-" + strconv.Itoa(port) }
