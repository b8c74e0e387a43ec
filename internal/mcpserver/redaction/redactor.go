// Package redaction removes secrets, and what could pass for words of ours, from what agents read of pages.
package redaction

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"cove/internal/page"
	"cove/internal/redact"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
	"cove/internal/secret/totp"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// Store gives access to the secrets of the profile.
type Store interface {
	// All returns the same slice until one has changed. Its error is about the secrets that cannot be read, and leaves
	// the others.
	All() ([]secret.Secret, error)
	Get(name string) (secret.Secret, error)
}

// Redactor removes the profile's secrets from what leaves the keeper. All clients share one.
type Redactor struct {
	store Store
	log   *slog.Logger

	mu         sync.Mutex
	filter     *redactor.Redactor
	stored     []secret.Secret // as they were at the last look
	known      []secret.Secret // all that there have been
	codes      []code          // one-time codes that were typed lately
	unreadable string          // what was logged about those that cannot be read
}

// code is a one-time code that is hidden for a while.
type code struct {
	text  string
	until time.Time
}

// New returns a Redactor for the secrets of a store; nil for none.
func New(s Store, log *slog.Logger) *Redactor { return &Redactor{store: s, log: log} }

// Store returns where the secrets are; nil for none.
func (r *Redactor) Store() Store { return r.store }

// Current returns the filter for all secrets that there are and have been. A secret that cannot be read is not
// redacted; nobody could type it since then either.
func (r *Redactor) Current() *redactor.Redactor {
	if r.store == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.dropCodes()
		return r.filter
	}

	all, err := r.store.All()
	r.mu.Lock()
	defer r.mu.Unlock()
	if text := fmt.Sprint(err); err != nil && r.unreadable != text {
		r.unreadable = text
		r.log.Warn("not all secrets can be read, so they are not hidden", "err", err)
	}

	r.dropCodes()

	// All returns the same list until the file changes. A removed secret is still redacted: pages may show it.
	if len(all) > 0 && (len(r.stored) == 0 || &all[0] != &r.stored[0]) {
		r.stored = all
		for _, one := range all {
			same := func(k secret.Secret) bool { return slices.Equal(k.Hidden(), one.Hidden()) }
			if !slices.ContainsFunc(r.known, same) {
				r.known = append(r.known, one)
			}
		}
		r.rebuild()
	}
	return r.filter
}

// rebuild makes the filter for all that is hidden now. The caller has locked mu.
func (r *Redactor) rebuild() {
	all := slices.Clone(r.known)
	for _, one := range r.codes {
		for _, form := range totp.CodeForms(one.text) {
			all = append(all, secret.Secret{Value: form})
		}
	}
	r.filter = redactor.New(all)
}

// dropCodes ends the hiding of codes whose time is over. The caller has locked mu.
func (r *Redactor) dropCodes() {
	now := time.Now()
	if slices.ContainsFunc(r.codes, func(c code) bool { return !now.Before(c.until) }) {
		r.codes = slices.DeleteFunc(r.codes, func(c code) bool { return !now.Before(c.until) })
		r.rebuild()
	}
}

// HideCode removes a one-time code until its time is over.
func (r *Redactor) HideCode(text string, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.codes = append(r.codes, code{text, until})
	r.rebuild()
}

// Hide removes a value, too, from now on: a code that a person has given, or what a command has printed.
func (r *Redactor) Hide(value string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.known, func(k secret.Secret) bool { return k.Value == value }) {
		return
	}
	r.known = append(r.known, secret.Secret{Value: value})
	r.rebuild()
}

// Text returns a text without secrets.
func (r *Redactor) Text(text string) string { return r.Current().Text(text) }

// Bytes returns data without secrets.
func (r *Redactor) Bytes(data []byte) []byte { return r.Current().Bytes(data) }

// Writer removes secrets from a stream on its way to w. Close writes the rest and leaves w open.
func (r *Redactor) Writer(w io.Writer) io.WriteCloser { return r.Current().Writer(w) }

// URL is URLText of an address that a page has given. Secrets are removed before it is cut.
func (r *Redactor) URL(address string) string { return URLText(r.Text(address)) }

// Words returns the first characters of what a page says. Secrets are removed before it is cut.
func (r *Redactor) Words(said string, most int) string {
	return wording.Shorten(text.Clean(r.Text(said)), most)
}

// PageURL returns the address of a page for people: without secrets and passwords.
func (r *Redactor) PageURL(t *page.Tab) string { return r.Text(redact.URL(t.About().URL)) }
