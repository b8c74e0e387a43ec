package profile

import (
	"slices"

	"cove/internal/fault"
	"cove/internal/profile/args"
)

func (p *Profile) cleanArgs() error {
	if len(p.Args) > maxArgs {
		return fault.Fieldf("args", "A profile has at most %d extra browser arguments.", maxArgs)
	}
	for i, arg := range p.Args {
		if err := checkText("args", "browser argument", arg, maxText); err != nil {
			return err
		}
		clean, err := args.Clean(arg)
		if err != nil {
			return err
		}
		p.Args[i] = clean
	}
	return nil
}

// CheckArgs reports the first argument of a stored profile that Cove no longer passes on.
func (p Profile) CheckArgs() error {
	p.Args = slices.Clone(p.Args)
	return p.cleanArgs()
}

// PersonsArgs returns the arguments that only the person may give a profile.
func (p Profile) PersonsArgs() (found []string) {
	for _, arg := range p.Args {
		if args.NeedsPerson(arg) {
			found = append(found, arg)
		}
	}
	return found
}
