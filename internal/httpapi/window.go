package httpapi

import (
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
	"cove/internal/random"
)

// Window holds the files of the page that people see.
type Window interface {
	// File returns a file of the page by its name.
	File(name string) (kind string, body []byte, ok bool)
}

// Memory stores what has to outlive the app.
type Memory interface {
	Recall() []byte // nil when there is nothing
	Remember(raw []byte)
}

const (
	// codeLife is how long a sign-in link works. A browser may need a while to start.
	codeLife = 5 * time.Minute
	// signInLife is how long a page stays signed in.
	signInLife = 30 * 24 * time.Hour
	// maxSignIns limits both lists. The oldest entry makes room for a new one.
	maxSignIns = 100
	// headerWindow carries the half of a page's credential that its origin stores.
	headerWindow = "Cove-Window"
)

// signIns holds the links that were given out and the pages that signed in with one, as hashes. Pages outlive the app,
// so that an open window continues after a restart. A page needs both a cookie and a key: browsers send a cookie of
// 127.0.0.1 to the servers on every port of that address, but the key stays with the page's own origin.
type signIns struct {
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

func newSignIns(memory Memory) *signIns {
	s := &signIns{memory: memory, codes: map[string]signIn{}, pages: map[string]signIn{}}
	if memory != nil {
		_ = json.Unmarshal(memory.Recall(), &s.pages) // pages that cannot be read sign in again
	}
	if s.pages == nil {
		s.pages = map[string]signIn{}
	}
	return s
}

// remember stores the pages. The caller holds the lock, so that two writers cannot overtake each other.
func (s *signIns) remember() {
	if raw, err := json.Marshal(s.pages); err == nil && s.memory != nil {
		s.memory.Remember(raw)
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

// code makes the code of a link for an account. With needsPIN, using it requires the PIN, too.
func (s *signIns) code(who account.Account, needsPIN bool) (code string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	code, until = newSecret(), time.Now().Add(codeLife)
	insert(s.codes, hashOf(code), signIn{Who: who, Until: until, NeedsPIN: needsPIN})
	return code, until
}

// needsPIN reports whether a code requires the PIN. exchange refuses a code that is not known.
func (s *signIns) needsPIN(code string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.codes[hashOf(code)].NeedsPIN
}

// exchange trades a code for a cookie and a key, once.
func (s *signIns) exchange(code string) (cookie, key string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := hashOf(code)
	c, ok := s.codes[hash]
	delete(s.codes, hash)
	if !ok || time.Now().After(c.Until) {
		return "", "", false
	}
	cookie, key = newSecret(), newSecret()
	insert(s.pages, hashOf(cookie), signIn{Who: c.Who, Until: time.Now().Add(signInLife), Key: hashOf(key)})
	s.remember()
	return cookie, key, true
}

// who returns the account whose page sent a cookie and a key.
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

// cookieName contains the port, because cookies do not: two Coves on one computer would sign each other's pages out.
func (s *Server) cookieName() string { return "cove-" + strconv.Itoa(s.config.About.APIPort) }

// page returns whose page sent the call, and the name of its session.
func (c *call) page() (who account.Account, session string, ok bool) {
	cookie, err := c.Cookie(c.server.cookieName())
	if err != nil {
		return account.Account{}, "", false
	}
	who, ok = c.server.signIns.who(cookie.Value, c.Header.Get(headerWindow))
	return who, hashOf(cookie.Value), ok
}

func (s *Server) setCookie(c *call, value string, life time.Duration) {
	http.SetCookie(c.w, &http.Cookie{Name: s.cookieName(), Value: value, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, MaxAge: int(life.Seconds())})
}

func (s *Server) home(*call) (any, error) { return s.file("index.html") }

func (s *Server) windowFile(c *call) (any, error) { return s.file(c.name) }

func (s *Server) file(name string) (any, error) {
	kind, body, ok := s.config.Window.File(name)
	if !ok {
		return nil, fault.New(fault.CodeNoRoute, "There is no such file.",
			"The window is at the address / of this port.")
	}
	return page{kind, body}, nil
}

// windowCode makes a link that signs a page in. The page counts as the person, so it requires what the person has: the
// PIN as well, now or when the page signs in.
func (s *Server) windowCode(c *call) (any, error) {
	var in api.NewWindowCode
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	if !in.NeedsPIN {
		if err := c.confirm(); err != nil {
			return nil, err
		}
	}
	who, _, err := c.credential()
	if err != nil {
		return nil, err
	}
	code, until := s.signIns.code(who, in.NeedsPIN)
	return api.WindowCode{Success: true, Code: code,
		URL: "http://127.0.0.1:" + strconv.Itoa(s.config.About.APIPort) + "/#code=" + code, ExpiresAt: until.UTC()}, nil
}

// signIn trades a link's code for the cookie and the key of a page.
func (s *Server) signIn(c *call) (any, error) {
	var in api.WindowSignIn
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if s.signIns.needsPIN(in.Code) {
		if err := c.confirmAgain(); err != nil {
			return nil, err
		}
	}
	cookie, key, ok := s.signIns.exchange(in.Code)
	if !ok {
		return nil, fault.New(fault.CodeSignInLink, "This sign-in link was used already, or it is too old.",
			"Get a new one with: cove ui")
	}
	s.setCookie(c, cookie, signInLife)
	return api.WindowSession{Success: true, Key: key}, nil
}

// signedIn confirms to a page that it is signed in.
func (s *Server) signedIn(c *call) (any, error) { return api.OK{Success: true}, c.requireOwner() }

// signOut ends a page's session. Whoever has its cookie can.
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
