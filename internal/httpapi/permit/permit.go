// Package permit decides who may create or change a profile: some changes run programs, or let a browser bypass the
// rules of its profile.
package permit

import (
	"context"
	"slices"

	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
)

// Browsers knows the browsers of this computer.
type Browsers interface {
	// FoundBrowser reports whether a path is a browser that Cove found by itself or that the person named in the
	// settings. It runs nothing of the caller's choice. CheckBrowser does, and says why a program is not a browser.
	FoundBrowser(ctx context.Context, path string) bool
	CheckBrowser(ctx context.Context, path string) error
}

// NeedsPerson says which part of a change only the person can make, and returns "" when a credential is enough. It
// compares the profile before and after instead of the fields that were sent, because a PUT also changes what it leaves
// out. found says that Cove found the new browser by itself.
func NeedsPerson(before, after profile.Profile, found bool) (action string) {
	browser, args := before.Browser != after.Browser, !slices.Equal(before.Args, after.Args)
	// These could bypass the site rules. Behind a proxy, the proxy resolves names.
	if before.Policy.Binds() && (browser || args || before.Proxy != after.Proxy ||
		before.ProxyID != after.ProxyID) {
		return "change the browser, the arguments or the proxy of a profile that has rules"
	}
	if browser && after.Browser != "" && !found {
		return unknownBrowser
	}
	for _, arg := range after.PersonsArgs() {
		if !slices.Contains(before.Args, arg) {
			return "add the argument " + input.Clip(arg) + " to a profile"
		}
	}
	return ""
}

// unknownBrowser describes the choice of a browser that Cove did not find: it runs a program of the caller's choice.
const unknownBrowser = "choose a browser that `cove browser list` does not show"

// Create refuses new profiles that the caller may not create. It asks the person once for all of them.
func Create(c *call.Call, browsers Browsers, ps ...profile.Profile) error {
	var none profile.Profile
	var named []string
	action := ""
	for _, p := range ps {
		if p.Browser != "" && !slices.Contains(named, p.Browser) {
			named = append(named, p.Browser)
			if !browsers.FoundBrowser(c.Context(), p.Browser) {
				action = unknownBrowser
			}
		}
		if action == "" {
			action = NeedsPerson(none, p, true)
		}
	}
	if action != "" {
		if err := c.RequirePersonFor(action); err != nil {
			return err
		}
	}
	for _, path := range named { // it runs the program, so it comes last
		if err := browsers.CheckBrowser(c.Context(), path); err != nil {
			return fault.In("browser", err)
		}
	}
	return nil
}

// Edit refuses a change of a profile that the caller may not make. granted reports whether the person made it.
func Edit(c *call.Call, browsers Browsers, before, after profile.Profile) (granted bool, err error) {
	browser := after.Browser != before.Browser && after.Browser != ""
	found := browser && browsers.FoundBrowser(c.Context(), after.Browser)
	if action := NeedsPerson(before, after, found); action != "" {
		if err := c.RequirePersonFor(action); err != nil {
			return false, err
		}
		granted = true
	}
	if browser {
		return granted, fault.In("browser", browsers.CheckBrowser(c.Context(), after.Browser))
	}
	return granted, nil
}

// ErrChanged is the error for a profile that changed after it was checked.
func ErrChanged() error {
	return fault.New(fault.CodeProfileChanged, "The profile was changed in the meantime.",
		"Review it and try again.")
}

// RequireCredential refuses a caller without a credential who names a browser, arguments or a proxy for a new
// profile. A start needs no credential, but these run programs and decide an identity.
func RequireCredential(c *call.Call, p profile.Profile) error {
	switch {
	case p.Browser != "":
		return c.RequireCredentialFor("browser")
	case len(p.Args) > 0:
		return c.RequireCredentialFor("args")
	case p.Proxy.Set() || p.ProxyID != 0:
		return c.RequireCredentialFor("proxy")
	}
	return nil
}
