package httpapi

import (
	"errors"
	"slices"

	"cove/internal/fault"
	"cove/internal/profile"
)

// needsPerson says what of a change of a profile is the person's to do, "" when a credential is enough. It compares the profile before and after, not
// the fields that were sent: what is left out of a PUT changes too. found says that Cove knows the new browser by itself.
func needsPerson(before, after profile.Profile, found bool) (deed string) {
	browser, args := before.Browser != after.Browser, !slices.Equal(before.Args, after.Args)
	// With these the rules could be gone around. Behind a proxy it is the proxy that knows where a name leads.
	if before.Policy.Binds() && (browser || args || before.Proxy != after.Proxy) {
		return "change the browser, the arguments or the proxy of a profile that has rules"
	}
	if browser && after.Browser != "" && !found {
		return unknownBrowser
	}
	for _, arg := range after.PersonsArgs() {
		if !slices.Contains(before.Args, arg) {
			return "give a profile the argument " + clip(arg)
		}
	}
	return ""
}

// unknownBrowser is what runs a program of the caller's choice.
const unknownBrowser = "give a profile a browser that `cove browser list` does not show"

// mustBePersonFor asks for the person and the PIN, and says what for.
func (c *call) mustBePersonFor(deed string) error {
	err := first(c.requirePerson, c.confirm)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code == "E_NOT_PERSON" {
		return fault.New(f.Kind, f.Code, "Only the person may "+deed+".", "Do it in Cove's window or on the command line; an API token is not enough.")
	}
	return err
}

// mayMake refuses new profiles that the caller may not make; the person is asked once for all of them.
func (c *call) mayMake(ps ...profile.Profile) error {
	var none profile.Profile
	var browsers []string
	deed := ""
	for _, p := range ps {
		if p.Browser != "" && !slices.Contains(browsers, p.Browser) {
			browsers = append(browsers, p.Browser)
			if !c.server.Machine.FoundBrowser(c.Context(), p.Browser) {
				deed = unknownBrowser
			}
		}
		if deed == "" {
			deed = needsPerson(none, p, true)
		}
	}
	if deed != "" {
		if err := c.mustBePersonFor(deed); err != nil {
			return err
		}
	}
	for _, path := range browsers { // it runs the program, so it comes last
		if err := c.server.Machine.CheckBrowser(c.Context(), path); err != nil {
			return err
		}
	}
	return nil
}

// mayChange refuses a change of a profile that the caller may not make; granted is whether the person made it.
func (c *call) mayChange(before, after profile.Profile) (granted bool, err error) {
	browser := after.Browser != before.Browser && after.Browser != ""
	found := browser && c.server.Machine.FoundBrowser(c.Context(), after.Browser)
	if deed := needsPerson(before, after, found); deed != "" {
		if err := c.mustBePersonFor(deed); err != nil {
			return false, err
		}
		granted = true
	}
	if browser {
		return granted, c.server.Machine.CheckBrowser(c.Context(), after.Browser)
	}
	return granted, nil
}

// changedMeanwhile is the answer when a profile is no longer what was judged.
func changedMeanwhile() error {
	return fault.New(fault.Conflict, "E_PROFILE_CHANGED", "Somebody else has changed the profile meanwhile.", "Look at it and try again.")
}

// mustOwnFor refuses a caller without a credential who says more than how a profile is to be opened.
func (c *call) mustOwnFor(field string) error {
	err := c.requireCredential()
	if fault.KindOf(err) != fault.Unauthenticated {
		return err
	}
	f := fault.From(err)
	if c.wrongCredential() == "" {
		f = fault.New(fault.Unauthenticated, f.Code, "The field \""+field+"\" needs a credential.", f.Hint)
	}
	return f
}

// mustOwnForWhat refuses a caller without a credential who names a browser, arguments or a proxy for a new profile: a start needs none, and these
// run programs and decide an identity.
func (c *call) mustOwnForWhat(p profile.Profile) error {
	switch {
	case p.Browser != "":
		return c.mustOwnFor("browser")
	case len(p.Args) > 0:
		return c.mustOwnFor("args")
	case p.Proxy.Set():
		return c.mustOwnFor("proxy")
	}
	return nil
}
