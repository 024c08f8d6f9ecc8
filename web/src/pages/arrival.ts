import { inReadersLanguage } from "../ui/inlanguage";

void inReadersLanguage().then(() => import("../driver/arrivalpage"));
