package adspower

// right is who may make a call.
type right string

// The rights. AdsPower's own switch asks for a key everywhere but in the status. With adspower.key off, whoever may
// open and close profiles on Cove's own port may do so here. Everything else needs a key, whatever the setting says.
const (
	keyed right = "" // everything else
	free  right = "free"
	drive right = "drive" // opens and closes profiles
	look  right = "look"  // says what is open
)

// authorize refuses a caller that may not make a call.
func (s *Server) authorize(c *request, need right) error {
	if need == free {
		return nil
	}
	required, err := s.Machine.KeyRequired(c.Context())
	if err != nil {
		return err
	}
	if need == drive && !required {
		required, err = s.Machine.RequireToken(c.Context())
		if err != nil {
			return err
		}
	}
	if need == keyed || required {
		if err := c.requireKey(); err != nil {
			return err
		}
	}
	return c.RequireLogin()
}

// requireKey refuses a caller without a key. AdsPower has one sentence for a missing and for a wrong one.
func (c *request) requireKey() error {
	_, ok, err := c.Credential()
	if err != nil || ok {
		return err
	}
	return errNoKey()
}
