package gate

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/protect"
)

// historyLimit bounds the gate's own question about a page's history.
const historyLimit = 5 * time.Second

// question is one command of a program, as the policy sees it.
type question struct {
	mux     *Mux
	session string // "" for a request over HTTP
	method  string
	raw     json.RawMessage
	params  map[string]json.RawMessage
	book    *policy.Rules
	posted  func(target string) bool
	files   *protect.Files

	// needs are the rights that it takes, page is what they are for, and what is what will happen.
	needs []policy.Class
	page  string
	what  string
	hide  hiding
	// moot: what it asks for holds already, or may not hold; the browser is not told.
	moot bool
}

// strict reports whether pages may be closed to the program.
func (q *question) strict() bool { return q.book.BindsPrograms() || q.book.HasSites() }

// judge says what the policy has against the command at once, and finds out which rights it needs.
func (q *question) judge(ctx context.Context) error {
	if err := q.always(q.method, q.raw, 0); err != nil {
		return err
	}
	if !q.strict() {
		return q.shown()
	}
	r, listed := methods()[q.method]
	if !r.anywhere || !listed {
		if err := q.closed(q.mux.place(q.session).URL); err != nil {
			return err
		}
	}
	if !q.book.BindsPrograms() {
		switch q.method {
		case "Page.navigate", "Target.createTarget":
			return q.opens(q.raw)
		case "Target.sendMessageToTarget":
			return q.within()
		}
		return nil
	}
	if !listed {
		return refused("The command "+q.method+" is not open to programs in this profile: its policy is "+string(q.book.Preset)+", which allows a list of commands.",
			"Go on without it, or ask the person to change what agents may do here.")
	}
	var err error
	if q.params, err = cdp.Fields(q.raw); err != nil {
		return unreadable(q.method, err)
	}
	q.needs, q.hide, q.page = slices.Clone(r.needs), r.hide, q.mux.place(q.session).URL
	if r.also != nil {
		return r.also(q)
	}
	return ctx.Err()
}

func refused(text, hint string) *fault.Error { return fault.New(fault.Denied, "E_POLICY", text, hint) }

// closed says why a page is closed to the program; nil when it is open.
func (q *question) closed(address string) error {
	if err := q.files.CheckURL(address); err != nil {
		return err
	}
	return closed(q.book, address)
}

// closed says why the policy closes a page to programs; nil when it does not.
func closed(book *policy.Rules, address string) error {
	v := book.URL(address)
	if v.OK() || strings.HasPrefix(address, "chrome-error:") {
		return nil
	}
	if !book.BindsPrograms() && (v.Class != policy.Local || strings.HasPrefix(address, "file:")) {
		return nil // the relay sees to sites; what could change the relay is closed
	}
	if !v.Blocked && book.Right(v.Class) != policy.No {
		return nil
	}
	return fault.New(fault.Denied, "E_POLICY_SITE", "The page "+shorten(address, 200)+" is closed to agents: "+v.Rule+".",
		"Navigate to a page that is open, or ask the person to change what agents may do in this profile.")
}

// text reads a parameter that is a text; "" when it is none.
func (q *question) text(name string) string {
	var s string
	_ = json.Unmarshal(q.params[name], &s)
	return s
}

// flag reads a parameter that is true or false.
func (q *question) flag(name string) bool { return string(q.params[name]) == "true" }

// need adds a right.
func (q *question) need(c policy.Class, what string) {
	if !slices.Contains(q.needs, c) {
		q.needs = append(q.needs, c)
	}
	q.what = what
}

// goes judges where a navigation leads.
func (q *question) goes() error { return q.leads(q.text("url")) }

// opens judges a navigation of a program that nothing else binds.
func (q *question) opens(raw json.RawMessage) error {
	params, err := cdp.Fields(raw)
	if err != nil {
		return unreadable(q.method, err)
	}
	q.params = params
	if address := q.text("url"); closed(q.book, address) != nil {
		return q.book.URL(address).Refusal(shorten(address, 200))
	}
	return nil
}

func (q *question) leads(address string) error {
	q.what = "open " + shorten(address, 200)
	u, err := url.Parse(strings.TrimSpace(address))
	scheme := ""
	if err == nil {
		scheme = strings.ToLower(u.Scheme)
	}
	switch scheme {
	case "javascript", "data", "blob", "filesystem":
		q.need(policy.Script, q.what)
	case "mailto", "tel":
		q.need(policy.Local, q.what)
	}
	v := q.book.URL(address)
	switch {
	case v.Blocked, v.Class != "" && q.book.Right(v.Class) == policy.No:
		return v.Refusal(shorten(address, 200))
	case v.Class != "":
		q.need(v.Class, q.what)
		q.page = shorten(address, 2000)
	}
	return nil
}

// goesBack judges an entry of a page's history.
func (q *question) goesBack() error {
	var entry int
	if json.Unmarshal(q.params["entryId"], &entry) != nil {
		return nil // the browser will say so
	}
	ctx, cancel := context.WithTimeout(context.Background(), historyLimit) // a page that hangs must not hold the client
	defer cancel()
	var history struct {
		Entries []struct {
			ID  int    `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := q.mux.callOn(ctx, q.session, "Page.getNavigationHistory", nil, &history); err != nil {
		return refused("The page's history cannot be read, so nothing was done.", "Navigate to an address instead.")
	}
	for _, e := range history.Entries {
		if e.ID == entry {
			return q.leads(e.URL)
		}
	}
	return nil
}

func (q *question) reloads() error {
	if q.text("scriptToEvaluateOnLoad") != "" {
		q.need(policy.Script, "reload the page with a script of its own")
	}
	if q.posted != nil && q.book.Right(policy.Submit) != policy.Yes && q.posted(q.mux.place(q.session).ID) {
		q.need(policy.Submit, "load the page again, which sends its form again")
	}
	return nil
}

// scripts lets the empty scripts pass by which clients make a world of their own in each page.
func (q *question) scripts() error {
	source := strings.TrimSpace(q.text("source"))
	if source == "" || (strings.HasPrefix(source, "//") && !strings.ContainsAny(source, "\n\r\u2028\u2029")) {
		q.needs = nil
		return nil
	}
	q.need(policy.Script, "run a script in each new page: "+shorten(source, 200))
	return nil
}

// continues: going on as if nothing had been intercepted needs no right; changing the request is what a script could do.
func (q *question) continues() error {
	if len(q.params) > 1 {
		q.need(policy.Script, "change a request of the page")
	}
	return nil
}

var errNested = refused("Sessions inside sessions are closed to programs in this profile.", "Set flatten to true.")

func (q *question) attaches() error {
	if q.flag("autoAttach") && !q.flag("flatten") {
		return errNested
	}
	return nil
}

func (q *question) attachesTo() error {
	if !q.flag("flatten") {
		return errNested
	}
	if q.mux.target(q.text("targetId")).Type == "browser" {
		return refused("The browser itself is no target for programs in this profile.", "Send its commands without a session.")
	}
	return nil
}

func (q *question) makesContext() error {
	if _, there := q.params["originsWithUniversalNetworkAccess"]; there {
		return refused("No origin gets access to all others in this profile.", "Leave originsWithUniversalNetworkAccess out.")
	}
	return nil
}

// drags: a dragged file is a file that is given to the page.
func (q *question) drags() error {
	data, err := cdp.Fields(q.params["data"])
	if err != nil {
		return refused("The data of the drag cannot be read.", "Write each parameter once, with plain keys.")
	}
	if files, there := data["files"]; there && string(files) != "[]" {
		if err := q.seen(files); err != nil {
			return err
		}
		q.need(policy.Upload, "drag files into the page: "+shorten(string(files), 200))
	}
	return q.sends()
}

// gives: a file that is given to the page.
func (q *question) gives() error { return q.seen(q.params["files"]) }

// seen refuses what is hidden in a home where no person sees the names of the files before they are used.
func (q *question) seen(raw json.RawMessage) error {
	if q.book.Right(policy.Upload) != policy.Yes {
		return nil
	}
	names, err := texts(raw)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := notHidden(name); err != nil {
			return err
		}
	}
	return nil
}

func notHidden(name string) error {
	if resolved, err := protect.Real(name); err != nil || protect.HiddenInHome(resolved) {
		return refused(shorten(name, 200)+" was not used: what is hidden in a home folder is for the person to give.", "Use a file or a folder that is not hidden.")
	}
	return nil
}

// selects: a selector can ask for the value of a password field, letter by letter.
func (q *question) selects() error {
	s := strings.ToLower(q.text("selector"))
	if strings.Contains(s, "[") && (strings.Contains(s, "value") || strings.Contains(s, `\`)) {
		q.need(policy.Script, "find elements by their values: "+shorten(s, 200))
	}
	return nil
}

// downloads: while the right is not theirs, what the browser does is the policy's. A program's own word would take the place of that, and
// when the program leaves, the browser would go back to letting everything through.
func (q *question) downloads() error {
	if q.book.Right(policy.Download) == policy.Yes {
		if dir := q.text("downloadPath"); dir != "" {
			return notHidden(dir)
		}
		return nil
	}
	switch q.text("behavior") {
	case "deny", "default":
		q.moot = true
		return nil
	}
	q.need(policy.Download, "let pages put files onto this computer: "+shorten(q.text("downloadPath"), 200))
	return nil
}

// dresses: what changes how the page is shown is not passed on where the program may only look.
func (q *question) dresses() error {
	q.moot = q.book.Right(policy.Act) != policy.Yes
	return nil
}

// shoots: for a picture of more than is shown the browser resizes the page, and the page's handlers run.
func (q *question) shoots() error {
	if beyond := string(q.params["captureBeyondViewport"]); beyond == "" || beyond == "false" {
		return nil
	}
	switch q.book.Right(policy.Act) {
	case policy.No:
		return refused("The picture was not taken: with captureBeyondViewport the page is resized, which its scripts notice, and the profile's policy lets programs look only.",
			"Set captureBeyondViewport to false; a clip within what the page shows is fine.")
	case policy.Ask:
		q.need(policy.Act, "take a picture of more than the page shows, for which it is resized")
	}
	return nil
}

// cookies: without the right their values are hidden; where a person is asked, a yes shows them.
func (q *question) cookies() error {
	if q.book.Right(policy.Storage) == policy.Ask {
		q.need(policy.Storage, "read the cookies with their values")
		q.hide = hiding{}
	}
	return nil
}

// caches: without the cache, going back to the answer of a form sends the form again.
func (q *question) caches() error {
	if string(q.params["cacheDisabled"]) != "false" && q.book.Right(policy.Submit) != policy.Yes {
		q.need(policy.Submit, "load pages without the cache, so that going back to the answer of a form sends the form again")
	}
	return nil
}

// sentence says what the command does, for the person who is asked.
func (q *question) sentence() string {
	if q.what != "" {
		return q.what
	}
	if q.method == "DOM.setFileInputFiles" {
		return "give the page files of this computer: " + shorten(string(q.params["files"]), 300)
	}
	if args := brief(q.raw); len(args) > 0 && string(args) != "{}" {
		return "run " + q.method + " " + shorten(string(args), 300)
	}
	return "run " + q.method
}

// shorten cuts a text to n bytes, between letters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// permit asks for each right that the command needs. block is told while a person is waited for.
func (s *Server) permit(ctx context.Context, seat *policy.Admission, q *question, block func(bool)) error {
	for _, c := range q.needs {
		r := policy.Request{Class: c, What: q.sentence(), Page: q.page}
		if seat.NeedsApproval(c) {
			block(true)
			defer block(false)
			if s.rules.Picture != nil && q.session != "" {
				r.Picture = s.rules.Picture(ctx, q.mux.place(q.session).ID)
			}
		}
		if err := seat.Authorize(ctx, r); err != nil {
			return err
		}
		if u, err := url.Parse(q.page); c == policy.Leave && err == nil {
			if o, ok := policy.OriginOf(u); ok {
				s.rules.Enforcer.Grant(o) // the relay asks nobody
			}
		}
	}
	return nil
}
