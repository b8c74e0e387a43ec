package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// errandSite is a shop's site for its customers. It serves the pages of the tasks to one driver and remembers what it
// was asked to do. All but the first page need its cookie.
type errandSite struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

// invoiceText is what the file of the download holds.
const invoiceText = "Invoice 2026-10: 84.20 EUR"

// readyAfter is how long the site works on an uploaded file.
const readyAfter = 700 * time.Millisecond

func newErrandSite() *errandSite {
	s := &errandSite{}
	mux := http.NewServeMux()
	servePages(mux)
	s.serveActions(mux)
	s.serveFiles(mux)
	s.Server = httptest.NewServer(mux)
	return s
}

// servePages serves the pages that only show something. All but the first need the site's cookie.
func servePages(mux *http.ServeMux) {
	for path, text := range map[string]string{
		"/login":    errandPage("Sign in", loginForm),
		"/home":     errandPage("Home", "<h1>Welcome, Ann</h1><p>Your customer number is C-7731.</p>"),
		"/search":   errandPage("Search", searchForm),
		"/results":  errandPage("Results", resultList()),
		"/orders":   errandPage("Orders", orderTable()),
		"/cart":     errandPage("Cart", cartScript),
		"/offer/a":  errandPage("Offer A", "<h1>Harbour lamp</h1><p>Price: 44.50 EUR</p>"+orderButton("harbour")),
		"/offer/b":  errandPage("Offer B", "<h1>Lantern lamp</h1><p>Price: 49.90 EUR</p>"+orderButton("lantern")),
		"/register": errandPage("Register", registerForm),
		"/invoices": errandPage("Invoices", "<h1>Invoices</h1><p><a href=/file>Invoice 2026-10</a></p><p>Total 84.20</p>"),
		"/terms":    errandPage("Terms", longTerms()),
		"/drafts":   errandPage("Drafts", draftPage),
		"/upload":   errandPage("Upload", uploadPage),
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			if _, err := r.Cookie("in"); err != nil && path != "/login" {
				http.Redirect(w, r, "/login", http.StatusSeeOther)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, text)
		})
	}
}

// serveActions serves what customers do: sign in, order, register.
func (s *errandSite) serveActions(mux *http.ServeMux) {
	mux.HandleFunc("POST /home", func(w http.ResponseWriter, r *http.Request) {
		s.record("sign in %s %s", r.FormValue("mail"), r.FormValue("word"))
		http.SetCookie(w, &http.Cookie{Name: "in", Value: "1"})
		http.Redirect(w, r, "/home", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /item/{n}", func(w http.ResponseWriter, r *http.Request) {
		s.record("item %s", r.PathValue("n"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, errandPage("Item", "<h1>Brass lamp</h1><p>In stock: 17</p><button>Add to cart</button>"))
	})
	mux.HandleFunc("POST /do/{what}/{on}", func(w http.ResponseWriter, r *http.Request) {
		s.record("%s %s", r.PathValue("what"), r.PathValue("on"))
		_, _ = io.WriteString(w, "R-55"+r.PathValue("on"))
	})
	mux.HandleFunc("GET /api/cart", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
	})
	mux.HandleFunc("POST /registered", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		s.record("register %s", r.PostForm.Encode())
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, errandPage("Registered", "<h1>Thank you</h1><p>Your number is N-2048.</p>"))
	})
}

// serveFiles serves the file to download, and takes the one that is uploaded.
func (s *errandSite) serveFiles(mux *http.ServeMux) {
	mux.HandleFunc("GET /file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=invoice.txt")
		_, _ = io.WriteString(w, invoiceText)
	})
	mux.HandleFunc("POST /uploaded", func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		s.record("upload %s", raw)
		select { // as a site that looks through the file first
		case <-time.After(readyAfter):
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "Ready: 12 pages")
	})
}

func (s *errandSite) record(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, fmt.Sprintf(format, args...))
}

// lateRequest is how long a request may be on its way after the driver has answered.
const lateRequest = 2 * time.Second

// saw reports whether the site was asked to do exactly this since it was asked last. It waits for what is on its way.
func (s *errandSite) saw(ctx context.Context, all ...string) bool {
	for late := time.Now().Add(lateRequest); s.count() < len(all) && time.Now().Before(late); {
		wait(ctx, 5*time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return slices.Equal(seen, all)
}

func (s *errandSite) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

// errandPage is a page as sites have it: with navigation that no task needs.
func errandPage(title, body string) string {
	var links strings.Builder
	for _, name := range []string{"Home", "Catalogue", "Orders", "Invoices", "Help"} {
		fmt.Fprintf(&links, "<a href=/home>%s</a> ", name)
	}
	return "<!doctype html><html lang=en><meta charset=utf-8><link rel=icon href=data:,><title>" + title +
		"</title><nav>" + links.String() + "</nav><main>" + body + "</main>"
}

const searchForm = `<h1>Catalogue</h1><form action=/results><input type=search name=q aria-label="Search"></form>`

const loginForm = `<h1>Sign in</h1><form method=post action=/home>
<p><label>Mail <input name=mail type=email></label></p>
<p><label>Password <input name=word type=password></label></p><button>Sign in</button></form>`

func resultList() string {
	var b strings.Builder
	b.WriteString("<h1>Results for lamp</h1><ul>")
	for i, name := range []string{"Desk", "Floor", "Wall", "Oil", "Brass", "Glass", "Paper", "Street"} {
		fmt.Fprintf(&b, "<li><a href=/item/%d>%s lamp</a> %d.50 EUR</li>", i+1, name, 20+7*i)
	}
	return b.String() + "</ul>"
}

// orderTable has 40 rows with a button of the same name in each.
func orderTable() string {
	var b strings.Builder
	b.WriteString("<h1>Orders</h1><p role=status></p><table><tr><th>Order<th>Customer<th>Total<th></tr>")
	for i := range 40 {
		const row = "<tr><td>%[1]d</td><td>%[2]s</td><td>%[3]d.00</td>" +
			"<td><button onclick=refund(%[1]d)>Refund</button></td></tr>"
		fmt.Fprintf(&b, row, 1001+i, noun(i), 20+i*3)
	}
	return b.String() + `</table><script>async function refund(n) {
  const answer = await fetch('/do/refund/' + n, {method: 'POST'});
  document.querySelector('[role=status]').textContent = 'Refunded ' + n + ', receipt ' + await answer.text();
}</script>`
}

const cartScript = `<h1>Cart</h1><p id=sum>Loading the cart</p><script>
console.log('cart 3.1 starts');
fetch('/api/cart').then(r => r.ok ? r.json() : undefined).then(cart => { document.title = cart.total })
  .catch(e => console.error('cart failed: ' + e.message));
</script>`

func orderButton(lamp string) string {
	return "<button onclick=\"fetch('/do/order/" + lamp + "', {method: 'POST'})\">Order " + lamp + " lamp</button>"
}

const registerForm = `<h1>Register</h1><form method=post action=/registered>
<p><label>First name <input name=first></label></p><p><label>Last name <input name=last></label></p>
<p><label>Mail <input name=mail type=email></label></p><p><label>Street <input name=street></label></p>
<p><label>City <input name=city></label></p><p><label>Postcode <input name=code></label></p>
<p><label>Country <select name=country><option value=at>Austria<option value=dk>Denmark<option value=no>Norway</select>
</label></p>
<p><label><input type=checkbox name=terms value=yes> I accept the terms</label></p><button>Send</button></form>`

// registered is what the site must get from the form.
const registered = "register city=Aarhus&code=8000&country=dk&first=Ann&last=Berg&mail=ann%40example.com&" +
	"street=Havnegade+4&terms=yes"

// longTerms is a long page of which one number is wanted.
func longTerms() string {
	var b strings.Builder
	b.WriteString("<h1>Terms of hire</h1>")
	for i := range 120 {
		if i%10 == 0 {
			fmt.Fprintf(&b, "<h2>Part %d: the %s</h2>", i/10+1, noun(i))
		}
		if i == 83 {
			b.WriteString("<p>The deposit for the rowing boat is 135 EUR, due on the day of the hire.</p>")
		}
		fmt.Fprintf(&b, "<p>Whoever hires the %s looks after it until the %s is closed, and pays for the %s.</p>",
			noun(i), noun(i+1), noun(i+2))
	}
	return b.String()
}

const draftPage = `<h1>Drafts</h1><p>Spring letter <button onclick=remove()>Delete</button></p><p role=status></p>
<script>
async function remove() {
  if (!confirm('Delete the draft and its 3 pictures?')) return;
  const answer = await fetch('/do/delete/spring', {method: 'POST'});
  document.querySelector('[role=status]').textContent = 'Deleted, receipt ' + await answer.text();
}</script>`

const uploadPage = `<h1>Upload</h1><p><label>Document <input type=file></label></p><button onclick=send()>Send</button>
<p role=status></p><script>
async function send() {
  const status = document.querySelector('[role=status]');
  status.textContent = 'Working on it';
  const answer = await fetch('/uploaded', {method: 'POST', body: document.querySelector('input').files[0]});
  const text = await answer.text();
  setTimeout(() => { status.textContent = text }, 700);
}</script>`
