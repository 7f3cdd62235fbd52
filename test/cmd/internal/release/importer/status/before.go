package main

import _ "encoding/json"
