package external

import "os"

func candidates() []candidate {
	dir, err := os.UserCacheDir() // %LocalAppData%
	if err != nil {
		return nil
	}
	return under(dir, candidate{"Google Chrome", "Google/Chrome/User Data"},
		candidate{"Google Chrome Beta", "Google/Chrome Beta/User Data"}, candidate{"Chromium", "Chromium/User Data"},
		candidate{"Microsoft Edge", "Microsoft/Edge/User Data"},
		candidate{"Brave", "BraveSoftware/Brave-Browser/User Data"})
}
