package rest

import "slices"

// A User works in projects.
type User struct {
	ID, Name, Password string
	Admin              bool
	Projects           []string // names
	Credentials        []Credential
}

// A Credential is an application credential.
type Credential struct{ ID, Name, Secret, Project string }

// A Project owns resources.
type Project struct {
	ID, Name string
	Quota    map[string]int
}

// A Session belongs to a token: it is a user in a project.
type Session struct {
	User    *User
	Project *Project
}

// quotas are the quotas of a new project, by the names of the services. -1 means any number.
var quotas = map[string]int{
	"instances": 10, "cores": 20, "ram": 51200,
	"network": 100, "subnet": 100, "port": 500, "router": 10, "floatingip": 50, "security_group": 10, "security_group_rule": 100,
	"load_balancer": -1, "listener": -1, "pool": -1, "member": -1, "health_monitor": -1,
}

// AddAccount lets a user work in a project, and creates both where they do not exist. It returns
// the ID of the project.
func (a *API) AddAccount(name, password, projectName string) string {
	a.Lock()
	defer a.Unlock()
	u := a.UserNamed(name)
	if u == nil {
		u = &User{ID: NewHex(), Name: name}
		a.users = append(a.users, u)
	}
	u.Password = password
	u.Projects = append(u.Projects, projectName)
	p := a.ProjectNamed(projectName)
	if p == nil {
		p = &Project{ID: NewHex(), Name: projectName, Quota: map[string]int{}}
		for resource, n := range quotas {
			p.Quota[resource] = n
		}
		a.projects = append(a.projects, p)
	}
	return p.ID
}

// SetPassword changes the password of a user, and makes all tokens invalid.
func (a *API) SetPassword(name, password string) {
	a.Lock()
	defer a.Unlock()
	if u := a.UserNamed(name); u != nil {
		u.Password = password
	}
	clear(a.tokens)
}

// SetQuota sets one quota of a project, such as instances, port, floatingip or load_balancer.
func (a *API) SetQuota(projectID, resource string, n int) {
	a.Lock()
	defer a.Unlock()
	for _, p := range a.projects {
		if p.ID == projectID {
			p.Quota[resource] = n
		}
	}
}

// UserNamed returns the user with a name or an ID, nil for none.
func (a *API) UserNamed(name string) *User {
	i := slices.IndexFunc(a.users, func(u *User) bool { return u.Name == name || u.ID == name })
	if i < 0 || name == "" {
		return nil
	}
	return a.users[i]
}

// ProjectNamed returns the project with a name or an ID, nil for none.
func (a *API) ProjectNamed(name string) *Project {
	i := slices.IndexFunc(a.projects, func(p *Project) bool { return p.Name == name || p.ID == name })
	if i < 0 || name == "" {
		return nil
	}
	return a.projects[i]
}

// Users returns all users.
func (a *API) Users() []*User { return a.users }

// AddToken lets a token authenticate requests in a session.
func (a *API) AddToken(id string, s *Session) { a.tokens[id] = s }
