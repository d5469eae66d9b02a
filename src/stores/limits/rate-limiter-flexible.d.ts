/** The parts that are used, by their files: the whole package is 36 modules, most of them for stores that we do not have. */
declare module 'rate-limiter-flexible/lib/RateLimiterSQLite.js' {
  export { RateLimiterSQLite as default } from 'rate-limiter-flexible';
}
declare module 'rate-limiter-flexible/lib/RateLimiterMongo.js' {
  export { RateLimiterMongo as default } from 'rate-limiter-flexible';
}
declare module 'rate-limiter-flexible/lib/RateLimiterRes.js' {
  export { RateLimiterRes as default } from 'rate-limiter-flexible';
}
