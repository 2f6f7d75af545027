import { page } from "../lib/shell.js"; page("API");
