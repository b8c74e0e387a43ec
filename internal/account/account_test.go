package account

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/internal/fault"

	"github.com/google/go-cmp/cmp"
)

// fake is a Store in memory that remembers every text it was given.
type fake struct {
	accounts map[string]Account
	hashes   map[string]string // of passwords, by email
	tokens   map[string]Token  // by hash
	login    string
	lastID   int64
	heard    []string
	broken   error // the answer to every call, when set
}

var _ Store = (*fake)(nil)

func newFake() *fake {
	return &fake{accounts: map[string]Account{}, hashes: map[string]string{}, tokens: map[string]Token{}}
}

func (f *fake) Account(_ context.Context, email string) (Account, string, error) {
	f.heard = append(f.heard, email)
	if f.broken != nil {
		return Account{}, "", f.broken
	}
	a, ok := f.accounts[email]
	if !ok {
		return Account{Email: email}, "", NoAccount(email)
	}
	return a, f.hashes[email], nil
}

func (f *fake) Accounts(context.Context) (out []Account, _ error) {
	for _, a := range f.accounts {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b Account) int { return strings.Compare(a.Email, b.Email) })
	return out, f.broken
}

func (f *fake) AddAccount(_ context.Context, a Account, hash string) error {
	f.heard = append(f.heard, a.Email, hash)
	if _, ok := f.accounts[a.Email]; ok {
		return fault.New(fault.CodeAccountExists, "There is an account already.", "")
	}
	f.accounts[a.Email], f.hashes[a.Email] = a, hash
	return f.broken
}

func (f *fake) SetPlan(_ context.Context, email string, plan Plan) error {
	f.heard = append(f.heard, email, string(plan))
	a, ok := f.accounts[email]
	if !ok {
		return NoAccount(email)
	}
	a.Plan = plan
	f.accounts[email] = a
	return f.broken
}

func (f *fake) LoggedIn(context.Context) (string, error) { return f.login, f.broken }

func (f *fake) SetLoggedIn(_ context.Context, email string) error {
	f.heard = append(f.heard, email)
	f.login = email
	return f.broken
}

func (f *fake) AddToken(_ context.Context, t Token, hash string) (int64, error) {
	f.heard = append(f.heard, t.Name, t.Email, hash)
	f.lastID++
	t.ID = f.lastID
	f.tokens[hash] = t
	return t.ID, f.broken
}

func (f *fake) ReplaceToken(ctx context.Context, t Token, hash string) (int64, error) {
	maps.DeleteFunc(f.tokens, func(_ string, old Token) bool { return old.Name == t.Name && old.Email == t.Email })
	return f.AddToken(ctx, t, hash)
}

func (f *fake) TokenByHash(_ context.Context, hash string, used time.Time) (Token, error) {
	f.heard = append(f.heard, hash)
	t, ok := f.tokens[hash]
	if !ok {
		return Token{}, fault.New(fault.CodeNotFound, "There is no such token.", "")
	}
	t.Used = used
	f.tokens[hash] = t
	return t, f.broken
}

func (f *fake) Tokens(context.Context) (out []Token, _ error) {
	for _, t := range f.tokens {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b Token) int { return int(a.ID - b.ID) })
	return out, f.broken
}

func (f *fake) DeleteToken(_ context.Context, id int64) error {
	for hash, t := range f.tokens {
		if t.ID == id {
			delete(f.tokens, hash)
			return f.broken
		}
	}
	return fault.New(fault.CodeNotFound, "There is no such token.", "")
}

const ownerToken = "cove_owner"

func newLocal(t *testing.T, store Store) *Local {
	t.Helper()
	l, err := NewLocal(t.Context(), store, ownerToken)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func wantKind(t *testing.T, err error, kind fault.Kind) {
	t.Helper()
	if got := fault.KindOf(err); got != kind {
		t.Fatalf("got kind %q (%v), want %q", got, err, kind)
	}
}

// wantCurrent checks who is logged in, "" for nobody.
func wantCurrent(t *testing.T, l *Local, email string) {
	t.Helper()
	a, err := l.Current(t.Context())
	if email == "" {
		wantKind(t, err, fault.Unauthenticated)
	} else if err != nil {
		t.Fatal(err)
	}
	if a.Email != email {
		t.Fatalf("%q is logged in, want %q", a.Email, email)
	}
}

func TestNewLocal(t *testing.T) {
	t.Run("makes the owner on the first run and logs it in", func(t *testing.T) {
		store := newFake()
		l := newLocal(t, store)
		got, err := l.Current(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(Account{Email: OwnerEmail, Plan: Solo, Owner: true, Created: got.Created}, got); d != "" {
			t.Fatal(d)
		}
		if age := time.Since(got.Created); age < 0 || age > time.Minute {
			t.Fatalf("made %v ago", age)
		}
		if all, err := l.List(t.Context()); err != nil || len(all) != 1 {
			t.Fatalf("got %v, %v", all, err)
		}
	})
	t.Run("does not log in again after a logout", func(t *testing.T) {
		store := newFake()
		if err := newLocal(t, store).Logout(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantCurrent(t, newLocal(t, store), "")
	})
	t.Run("keeps the plan and the login of an earlier run", func(t *testing.T) {
		store := newFake()
		if _, err := newLocal(t, store).SetPlan(t.Context(), "", Free); err != nil {
			t.Fatal(err)
		}
		l := newLocal(t, store)
		wantCurrent(t, l, OwnerEmail)
		if a, _ := l.Current(t.Context()); a.Plan != Free {
			t.Fatalf("the plan is %s", a.Plan)
		}
	})
	t.Run("does not take a broken store for a first run", func(t *testing.T) {
		store := newFake()
		store.broken = errors.New("disk")
		if _, err := NewLocal(t.Context(), store, ownerToken); !errors.Is(err, store.broken) ||
			len(store.accounts) > 0 {
			t.Fatalf("got %v and %v", err, store.accounts)
		}
	})
}

func TestLogin(t *testing.T) {
	ctx, store := t.Context(), newFake()
	l := newLocal(t, store)
	const password = "correct horse"
	added, err := l.Add(ctx, " Ann@Example.com ", password, Team)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Account{Email: "ann@example.com", Plan: Team, Created: added.Created}, added); d != "" {
		t.Fatal(d)
	}
	if err := l.Logout(ctx); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, l, "")

	for name, c := range map[string]struct{ email, password string }{
		"refuses a wrong password":                   {"ann@example.com", "correct horsf"},
		"refuses an email that no account has":       {"bob@example.com", password},
		"refuses what is no email":                   {"ann", password},
		"refuses an account that has no password":    {OwnerEmail, ""},
		"refuses a password that only begins aright": {"ann@example.com", password + "x"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := l.LoginPassword(ctx, c.email, c.password)
			wantKind(t, err, fault.Unauthenticated)
			if want := "The email or password is incorrect."; err.Error() != want {
				t.Errorf("got %q, which tells more than %q", err, want)
			}
			wantCurrent(t, l, "")
		})
	}
	t.Run("takes the right password, and the email as people type it", func(t *testing.T) {
		got, err := l.LoginPassword(ctx, "ANN@example.com ", password)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(added, got); d != "" {
			t.Fatal(d)
		}
		wantCurrent(t, l, "ann@example.com")
	})
	t.Run("the store never sees the password", func(t *testing.T) {
		if slices.ContainsFunc(store.heard, func(s string) bool { return strings.Contains(s, password) }) {
			t.Fatal("it did")
		}
	})
}

func TestCredential(t *testing.T) {
	ctx, store := t.Context(), newFake()
	l := newLocal(t, store)
	store.accounts["ann@example.com"] = Account{Email: "ann@example.com", Plan: Free}
	store.login = "ann@example.com"
	secret, _, err := l.CreateToken(ctx, "ci")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, token, email string }{
		{"knows a token's account", secret, "ann@example.com"},
		{"knows a token with a line end", secret + "\n", "ann@example.com"},
		{"knows the owner's token", ownerToken, OwnerEmail},
		{"refuses another token", NewToken(), ""},
		{"refuses a part of a token", secret[:len(secret)-1], ""},
		{"refuses the hash of a token", hashToken(secret), ""},
		{"refuses nothing", "", ""},
		{"refuses blanks", " \t", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, kind := store.accounts[c.email], fault.Unauthenticated
			if c.email != "" {
				kind = ""
			}
			store.login = ""
			got, err := l.Credential(ctx, c.token)
			wantKind(t, err, kind)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			wantCurrent(t, l, "") // a credential logs nobody in

			got, err = l.LoginToken(ctx, c.token)
			wantKind(t, err, kind)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			wantCurrent(t, l, c.email)
		})
	}
	t.Run("an empty owner token is nobody's", func(t *testing.T) {
		l, err := NewLocal(ctx, store, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = l.Credential(ctx, "")
		wantKind(t, err, fault.Unauthenticated)
	})
	t.Run("a broken store is not a wrong token", func(t *testing.T) {
		broken := newFake()
		l := newLocal(t, broken)
		broken.tokens[hashToken(secret)] = Token{Email: OwnerEmail}
		broken.broken = errors.New("disk")
		if _, err := l.Credential(ctx, secret); !errors.Is(err, broken.broken) {
			t.Fatalf("got %v", err)
		}
	})
}

func TestTokens(t *testing.T) {
	ctx, store := t.Context(), newFake()
	l := newLocal(t, store)
	one, first, err := l.CreateToken(ctx, " laptop ")
	if err != nil {
		t.Fatal(err)
	}
	two, second, err := l.CreateToken(ctx, "ci")
	if err != nil {
		t.Fatal(err)
	}
	if first.Name != "laptop" || first.Email != OwnerEmail || first.ID == second.ID || one == two ||
		!strings.HasPrefix(one, "cove_") {
		t.Fatalf("got %+v and %+v", first, second)
	}
	t.Run("are listed without use", func(t *testing.T) {
		got, err := l.Tokens(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]Token{first, second}, got); d != "" {
			t.Fatal(d)
		}
	})
	t.Run("are listed with their last use", func(t *testing.T) {
		if _, err := l.Credential(ctx, one); err != nil {
			t.Fatal(err)
		}
		got, err := l.Tokens(ctx)
		if err != nil || len(got) != 2 || time.Since(got[0].Used) > time.Minute || !got[1].Used.IsZero() {
			t.Fatalf("got %+v, %v", got, err)
		}
	})
	t.Run("are never seen by the store", func(t *testing.T) {
		if !slices.Contains(store.heard, hashToken(one)) {
			t.Error("it was not given the hash")
		}
		if slices.ContainsFunc(store.heard,
			func(s string) bool { return strings.Contains(s, one) || strings.Contains(s, two) }) {
			t.Error("it was given a secret")
		}
	})
	t.Run("are no credential once revoked", func(t *testing.T) {
		if err := l.RevokeToken(ctx, first.ID); err != nil {
			t.Fatal(err)
		}
		_, err := l.Credential(ctx, one)
		wantKind(t, err, fault.Unauthenticated)
		if _, err := l.Credential(ctx, two); err != nil {
			t.Errorf("the other token: %v", err)
		}
		wantKind(t, l.RevokeToken(ctx, first.ID), fault.NotFound)
	})
	t.Run("need a name", func(t *testing.T) {
		for _, name := range []string{"", "  ", strings.Repeat("x", 101)} {
			_, _, err := l.CreateToken(ctx, name)
			wantKind(t, err, fault.Invalid)
		}
	})
	t.Run("need somebody who is logged in", func(t *testing.T) {
		if err := l.Logout(ctx); err != nil {
			t.Fatal(err)
		}
		_, _, err := l.CreateToken(ctx, "ci")
		wantKind(t, err, fault.Unauthenticated)
	})
	if len(store.tokens) != 1 {
		t.Errorf("%d tokens are left, want the second only", len(store.tokens))
	}
}

func TestCurrentIsNobodyWhenTheAccountIsGone(t *testing.T) {
	store := newFake()
	l := newLocal(t, store)
	delete(store.accounts, OwnerEmail)
	wantCurrent(t, l, "")
}

func TestSetPlan(t *testing.T) {
	ctx, store := t.Context(), newFake()
	l := newLocal(t, store)
	store.accounts["ann@example.com"] = Account{Email: "ann@example.com", Plan: Free}
	set := func(email string, plan Plan, changed string) func(*testing.T) {
		return func(t *testing.T) {
			before := map[string]Plan{}
			for e, a := range store.accounts {
				before[e] = a.Plan
			}
			a, err := l.SetPlan(ctx, email, plan)
			if err != nil || a.Email != changed || a.Plan != plan {
				t.Fatalf("got %+v, %v", a, err)
			}
			before[changed] = plan
			for e, a := range store.accounts {
				if a.Plan != before[e] {
					t.Errorf("%s has plan %s, want %s", e, a.Plan, before[e])
				}
			}
		}
	}
	t.Run("changes whoever is logged in", set("", Team, OwnerEmail))
	t.Run("changes the account that is named", set(" Ann@example.com", Solo, "ann@example.com"))
	for name, c := range map[string]struct {
		email string
		kind  fault.Kind
	}{
		"refuses an email that no account has": {"bob@example.com", fault.NotFound},
		"refuses what is no email":             {"bob", fault.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := l.SetPlan(ctx, c.email, Solo)
			wantKind(t, err, c.kind)
		})
	}
	t.Run("needs a name when nobody is logged in", func(t *testing.T) {
		if err := l.Logout(ctx); err != nil {
			t.Fatal(err)
		}
		_, err := l.SetPlan(ctx, "", Solo)
		wantKind(t, err, fault.Unauthenticated)
	})
}

func TestParsePlan(t *testing.T) {
	for in, want := range map[string]Plan{"free": Free, "solo": Solo, "team": Team, "SOLO": Solo} {
		if got, err := ParsePlan(in); err != nil || got != want {
			t.Errorf("ParsePlan(%q) = %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "gold", "solo team"} {
		got, err := ParsePlan(in)
		if wantKind(t, err, fault.Invalid); got != "" {
			t.Errorf("ParsePlan(%q) = %q", in, got)
		}
		if hint := fault.From(err).Hint; !strings.Contains(hint, "free, solo and team") {
			t.Errorf("the hint %q does not name the plans", hint)
		}
	}
}

func TestMayAutomate(t *testing.T) {
	cases := map[Plan]fault.Kind{Free: fault.Payment, Solo: "", Team: "", "gold": fault.Payment}
	for plan := range Plans {
		if _, ok := cases[plan]; !ok {
			t.Errorf("the test does not know the plan %s", plan)
		}
	}
	for plan, kind := range cases {
		t.Run("the "+string(plan)+" plan", func(t *testing.T) { wantKind(t, Account{Plan: plan}.MayAutomate(), kind) })
	}
}

func TestAdd(t *testing.T) {
	ctx, store := t.Context(), newFake()
	l := newLocal(t, store)
	if _, err := l.Add(ctx, "ann@example.com", "12345678", Solo); err != nil {
		t.Fatal(err)
	}
	before := store.hashes["ann@example.com"]
	if !strings.HasPrefix(before, "$argon2id$") {
		t.Fatalf("the hash is %q", before)
	}
	for _, c := range []struct {
		name, email, password string
		kind                  fault.Kind
	}{
		{"an email that has an account", "ann@example.com", "another one", fault.Conflict},
		{"the same email in capitals", "ANN@Example.com", "another one", fault.Conflict},
		{"the owner's email", OwnerEmail, "another one", fault.Conflict},
		{"a password that is too short", "bob@example.com", "1234567", fault.Invalid},
		{"no password", "bob@example.com", "", fault.Invalid},
		{"a password that is too long", "bob@example.com", strings.Repeat("x", 1025), fault.Invalid},
		{"no email", "", "12345678", fault.Invalid},
		{"an email without a host", "bob@", "12345678", fault.Invalid},
		{"an email without a name", "@example.com", "12345678", fault.Invalid},
		{"an email without an at", "bob.example.com", "12345678", fault.Invalid},
		{"an email with two", "bob@x@example.com", "12345678", fault.Invalid},
		{"an email with a blank", "bob b@example.com", "12345678", fault.Invalid},
		{"an email with a name around it", "Bob <bob@example.com>", "12345678", fault.Invalid},
		{"two emails", "bob@example.com,eve@example.com", "12345678", fault.Invalid},
		{"an email that is too long", strings.Repeat("b", 250) + "@x.de", "12345678", fault.Invalid},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			_, err := l.Add(ctx, c.email, c.password, Solo)
			wantKind(t, err, c.kind)
			if len(store.accounts) != 2 || store.hashes["ann@example.com"] != before || store.hashes[OwnerEmail] != "" {
				t.Fatalf("the store has changed: %v", store.accounts)
			}
		})
	}
	wantCurrent(t, l, OwnerEmail) // adding logs nobody in
}

func TestNewTokensDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		token := NewToken()
		if seen[token] || len(token) != len("cove_")+48 {
			t.Fatalf("after %d: %q", len(seen), token)
		}
		seen[token] = true
	}
}

func TestTheTokenOfALoginReplacesTheLastOne(t *testing.T) {
	ctx, store := t.Context(), newFake()
	l := newLocal(t, store)
	store.accounts["ann@example.com"] = Account{Email: "ann@example.com", Plan: Free}
	kept, _, err := l.CreateToken(ctx, "ci")
	if err != nil {
		t.Fatal(err)
	}
	others, err := l.RenewLoginToken(ctx, "ann@example.com")
	if err != nil {
		t.Fatal(err)
	}
	first, err := l.RenewLoginToken(ctx, OwnerEmail)
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.RenewLoginToken(ctx, OwnerEmail)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Credential(ctx, first)
	wantKind(t, err, fault.Unauthenticated)
	for token, email := range map[string]string{second: OwnerEmail, others: "ann@example.com", kept: OwnerEmail} {
		if a, err := l.Credential(ctx, token); err != nil || a.Email != email {
			t.Errorf("a token of %s: %v, %v", email, a, err)
		}
	}
	if all, err := l.Tokens(ctx); err != nil || len(all) != 3 {
		t.Errorf("%v, %v", all, err)
	}
	_, _, err = l.CreateToken(ctx, " "+LoginTokenName)
	wantKind(t, err, fault.Invalid)
}
