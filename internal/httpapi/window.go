package httpapi

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
)

// Window is the page that people see, as files.
type Window interface {
	// File answers a file of the page by its name.
	File(name string) (kind string, body []byte, ok bool)
}

// Memory keeps what has to outlive the app.
type Memory interface {
	Recall() []byte // nil when there is nothing
	Remember(raw []byte)
}

const (
	// codeLife is how long a sign-in link works; a browser may take its time to start.
	codeLife = 5 * time.Minute
	// signInLife is how long a page stays signed in.
	signInLife = 30 * 24 * time.Hour
	// maxSignIns bounds both lists: the oldest makes room.
	maxSignIns = 100
	// headerWindow carries the half of a page's credential that its origin keeps.
	headerWindow = "Cove-Window"
)

// signIns are the links that were given out and the pages that came with one, only hashes of both. Pages outlive the app, so that an
// open window goes on after a restart. A page has a cookie and a key, and needs both: browsers send a cookie of 127.0.0.1 to the
// server of every port of that address, and the key, which the page keeps for its own origin, to none.
type signIns struct {
	memory Memory

	mu    sync.Mutex
	codes map[string]signIn
	pages map[string]signIn
}

type signIn struct {
	Who   account.Account `json:"who"`
	Until time.Time       `json:"until"`
	Key   string          `json:"key"` // hash of the page's key
	Ask   bool            `json:"-"`   // a code that is not enough without the PIN
}

func newSignIns(memory Memory) *signIns {
	s := &signIns{memory: memory, codes: map[string]signIn{}, pages: map[string]signIn{}}
	if memory != nil {
		_ = json.Unmarshal(memory.Recall(), &s.pages) // what cannot be read has to sign in again
	}
	if s.pages == nil {
		s.pages = map[string]signIn{}
	}
	return s
}

// remember writes the pages down; the caller holds the lock, for two writers must not overtake each other.
func (s *signIns) remember() {
	if raw, err := json.Marshal(s.pages); err == nil && s.memory != nil {
		s.memory.Remember(raw)
	}
}

func secret() string {
	var b [32]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// keep adds an entry, and drops what is too old or too much.
func keep(all map[string]signIn, hash string, s signIn) {
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

// code makes a link's code for somebody; ask says that it needs the PIN, too.
func (s *signIns) code(who account.Account, ask bool) (code string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	code, until = secret(), time.Now().Add(codeLife)
	keep(s.codes, hashOf(code), signIn{Who: who, Until: until, Ask: ask})
	return code, until
}

// asks tells whether a code needs the PIN; one that is not known is refused when it is taken.
func (s *signIns) asks(code string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.codes[hashOf(code)].Ask
}

// exchange takes a code, once.
func (s *signIns) exchange(code string) (cookie, key string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := hashOf(code)
	c, ok := s.codes[hash]
	delete(s.codes, hash)
	if !ok || time.Now().After(c.Until) {
		return "", "", false
	}
	cookie, key = secret(), secret()
	keep(s.pages, hashOf(cookie), signIn{Who: c.Who, Until: time.Now().Add(signInLife), Key: hashOf(key)})
	s.remember()
	return cookie, key, true
}

// who is the person whose page sent a cookie and a key.
func (s *signIns) who(cookie, key string) (account.Account, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.pages[hashOf(cookie)]
	if !ok || time.Now().After(p.Until) || subtle.ConstantTimeCompare([]byte(p.Key), []byte(hashOf(key))) != 1 {
		return account.Account{}, false
	}
	return p.Who, true
}

func (s *signIns) forget(cookie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pages, hashOf(cookie))
	s.remember()
}

// cookieName holds the port, for cookies do not: two Coves of one computer would sign each other's pages out.
func (s *Server) cookieName() string { return "cove-" + strconv.Itoa(s.About.APIPort) }

// page tells whose page sent the call, and the name of its session.
func (c *call) page() (who account.Account, session string, ok bool) {
	cookie, err := c.Cookie(c.server.cookieName())
	if err != nil {
		return account.Account{}, "", false
	}
	who, ok = c.server.signIns.who(cookie.Value, c.Header.Get(headerWindow))
	return who, hashOf(cookie.Value), ok
}

func (s *Server) setCookie(c *call, value string, life time.Duration) {
	http.SetCookie(c.w, &http.Cookie{Name: s.cookieName(), Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: int(life.Seconds())})
}

func (s *Server) home(*call) (any, error) { return s.file("index.html") }

func (s *Server) windowFile(c *call) (any, error) { return s.file(c.name) }

func (s *Server) file(name string) (any, error) {
	kind, body, ok := s.Window.File(name)
	if !ok {
		return nil, fault.New(fault.NotFound, "E_NO_ROUTE", "There is no such file.", "The window is at the address / of this port.")
	}
	return page{kind, body}, nil
}

// windowCode makes a link that signs a page in. The page counts as the person, so it takes what a person has: the PIN too, now or when
// the page signs in.
func (s *Server) windowCode(c *call) (any, error) {
	var in api.NewWindowCode
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	if !in.Ask {
		if err := c.confirm(); err != nil {
			return nil, err
		}
	}
	who, _, err := c.credential()
	if err != nil {
		return nil, err
	}
	code, until := s.signIns.code(who, in.Ask)
	return api.WindowCode{Success: true, Code: code, URL: "http://127.0.0.1:" + strconv.Itoa(s.About.APIPort) + "/#code=" + code, ExpiresAt: until.UTC()}, nil
}

// signIn exchanges a link's code for the cookie and the key of a page.
func (s *Server) signIn(c *call) (any, error) {
	var in api.WindowSignIn
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if s.signIns.asks(in.Code) {
		if err := c.confirmAgain(); err != nil {
			return nil, err
		}
	}
	cookie, key, ok := s.signIns.exchange(in.Code)
	if !ok {
		return nil, fault.New(fault.Unauthenticated, "E_CODE", "This sign-in link was used already, or it is too old.", "Get a new one with: cove ui")
	}
	s.setCookie(c, cookie, signInLife)
	return api.WindowSession{Success: true, Key: key}, nil
}

// signedIn tells a page that it is.
func (s *Server) signedIn(c *call) (any, error) { return api.OK{Success: true}, c.requireOwner() }

// signOut ends what the cookie opens; whoever has it may.
func (s *Server) signOut(c *call) (any, error) {
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	if cookie, err := c.Cookie(s.cookieName()); err == nil {
		s.signIns.forget(cookie.Value)
	}
	s.setCookie(c, "", -time.Second)
	return api.OK{Success: true}, nil
}
